// Defines someNetworks, networks that together have each operation that ONNX files can hold.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tapestry/deeplearning/layer.hpp"

namespace tapestry::test {

struct SomeNetwork {
  std::string name;
  Shape input;
  std::function<TensorLayer(const TensorLayer&)> build;
  bool inOpenCv = true;  ///< whether OpenCV 4.6 knows the operations
};

const std::vector<SomeNetwork>& someNetworks();

/// Numbers between -1 and 1 that differ from each other.
Tensor<float> someInput(const Shape& shape);

}  // namespace tapestry::test
