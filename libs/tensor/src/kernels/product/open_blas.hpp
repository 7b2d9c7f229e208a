// Defines hasOpenBlas, whether this build uses OpenBLAS, and the products that OpenBLAS computes.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

#if defined(TAPESTRY_HAS_OPENBLAS)
inline constexpr bool hasOpenBlas = true;
#else
inline constexpr bool hasOpenBlas = false;
#endif

// The functions are defined only where hasOpenBlas is true.

/// Makes OpenBLAS compute each product on the calling thread alone. Throws std::runtime_error if the loaded
/// OpenBLAS is not safe to call from several threads.
void keepOpenBlasOnOneThread();

/// Preconditions: `from` is null or `to`, and all extents and steps are integers of OpenBLAS.
void multiplyByOpenBlas(const Product<float>& product) noexcept;
void multiplyByOpenBlas(const Product<double>& product) noexcept;

}  // namespace tapestry::kernels
