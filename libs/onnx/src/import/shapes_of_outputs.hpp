// Defines shapesOfOutputs, the shapes that a model computes from inputs of given shapes.
#pragma once

#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tapestry::onnx {

/// None where only a pass knows the shape; with `evaluates`, a pass on zeros is run for these. Throws the
/// error of an operation that does not fit. Without a pass, takes no memory for values.
std::vector<std::optional<Shape>> shapesOfOutputs(const Model& model, const std::vector<Shape>& inputs,
                                                  bool evaluates);

}  // namespace tapestry::onnx
