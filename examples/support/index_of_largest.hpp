// Defines indexOfLargest, which reads a prediction from scores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::examples {

/// The first one of equal elements counts. The tensor must not be empty.
inline std::size_t indexOfLargest(const Tensor<float>& scores) {
  const auto values = scores.values();
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace tapestry::examples
