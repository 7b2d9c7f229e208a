// Defines rowShift, what is taken from a row before its exponentials.
#pragma once

#include <cmath>
#include <cstddef>

#include "kernels/row_loops.hpp"

namespace tapestry::kernels {

/// The largest value, so that no exp overflows; 0 where that is not finite, so that no inf is subtracted from
/// itself.
template <class T>
T rowShift(const T* row, std::size_t length) {
  const T largest = rowLoops<T>().maximum(row, length);
  return std::isfinite(largest) ? largest : T{0};
}

}  // namespace tapestry::kernels
