// Defines Inside, the steps of a window that stay inside a plane.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tapestry::kernels {

/// The steps first <= i < last below `steps` for which 0 <= i * stride + offset - padding < extent.
struct Inside {
  Inside(std::size_t steps, std::size_t stride, std::size_t offset, std::size_t padding, std::size_t extent)
      : first(padding > offset ? (padding - offset + stride - 1) / stride : 0),
        last(extent + padding > offset ? (extent + padding - offset - 1) / stride + 1 : 0) {
    last = std::min(last, steps);
    first = std::min(first, last);
  }
  bool empty() const { return first == last; }
  std::size_t first;
  std::size_t last;
};

}  // namespace tapestry::kernels
