// Defines addTo, which adds an array to another.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// sums[i] += x[i]
template <class T>
void addTo(T* sums, const T* x, std::size_t n) noexcept;

}  // namespace tapestry::kernels
