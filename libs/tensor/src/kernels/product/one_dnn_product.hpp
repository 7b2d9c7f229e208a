// Defines multiplyByOneDnn, the product by oneDNN, for float. Its functions are defined where hasOneDnn is
// true.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

/// Returns false if oneDNN cannot compute the product, which then is not computed. Preconditions: `from` is
/// null or `to`, and all extents and steps are within int.
bool multiplyByOneDnn(const Product<float>& product) noexcept;

/// Whether oneDNN uses AVX-512 on this machine.
bool oneDnnHasAvx512() noexcept;

}  // namespace tapestry::kernels
