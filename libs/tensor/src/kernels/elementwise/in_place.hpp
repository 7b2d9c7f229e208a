// Defines addTo and multiplyBy, arithmetic on arrays in place.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// sums[i] += x[i]
template <class T>
void addTo(T* sums, const T* x, std::size_t n) noexcept;

/// products[i] *= factor
template <class T>
void multiplyBy(T* products, T factor, std::size_t n) noexcept;

}  // namespace tapestry::kernels
