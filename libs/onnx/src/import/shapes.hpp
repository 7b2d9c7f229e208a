// Defines shapeFrom and the operations that change the shape alone.
#pragma once

#include "call.hpp"

namespace tapestry::onnx {

/// Fails for a list that is no shape of a tensor.
Shape shapeFrom(const Place& place, const std::vector<std::int64_t>& extents);

/// Reshape, Flatten, Squeeze, Unsqueeze, Identity, Constant and If.
void addShapes(Handlers& handlers);

}  // namespace tapestry::onnx
