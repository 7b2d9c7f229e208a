// Defines checkDraws, which compares the gradients of operations that are drawn at random, with their shapes
// and settings, with central differences.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "support/networks/random_shapes.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/mode.hpp"

namespace tapestry::test {

using Operands = std::vector<DoubleTensorLayer>;
using DrawnResult = std::variant<DoubleLayer, DoubleTensorLayer>;

/// An operation, and the data of its operands.
struct DrawnOperation {
  std::function<DrawnResult(const Operands&)> apply;
  std::vector<Tensor<double>> operands;
  Mode mode = Mode::predict;
};

/// Checks what `draw` draws: with all operands weights, and then, in turn, with literals beside one weight,
/// with late layers, and on a diamond.
void checkDraws(const std::function<DrawnOperation(Random&)>& draw, int draws = 36);

/// checkDraws of a reduction along some axes of any shape, without extents of 0 unless it is defined for
/// them.
void checkReduction(
    const std::function<DoubleTensorLayer(const DoubleTensorLayer&, const Axes&, bool keepDims)>& reduce,
    bool ofNothing = true);

/// checkDraws of a loss of two operands that broadcast on either side, and are not empty.
void checkLoss(const std::function<DrawnResult(const DoubleTensorLayer&, const DoubleTensorLayer&)>& loss);

/// The gradients of `loss` with respect to weights, in passes of this mode, which draw from one seed.
void checkGradientsIn(Mode mode, const DoubleLayer& loss, const std::vector<DoubleTensorWeight>& weights);

}  // namespace tapestry::test
