// Defines valuesOf, and setValues, which take the weights of a model to the peers and back to the start.
#pragma once

#include <tapestry/deeplearning/weights.hpp>

#include <cstddef>
#include <variant>
#include <vector>

namespace tapestry::benchmarks {

/// In the order of the weights, all of which are tensors.
inline std::vector<Tensor<float>> valuesOf(const Weights& weights) {
  std::vector<Tensor<float>> values;
  for (const auto& [name, weight] : weights) values.push_back(std::get<TensorWeight>(weight).data());
  return values;
}

inline void setValues(const Weights& weights, const std::vector<Tensor<float>>& values) {
  for (std::size_t i = 0; const auto& [name, weight] : weights)
    std::get<TensorWeight>(weight).setData(values[i++]);
}

}  // namespace tapestry::benchmarks
