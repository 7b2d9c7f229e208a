#include "support/networks/drawn_operation.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "support/networks/finite_differences.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/deeplearning/seed.hpp"

namespace tapestry::test {

namespace {

std::string shapesOf(const DrawnOperation& operation) {
  std::string text;
  for (const auto& data : operation.operands) text += (text.empty() ? "" : ", ") + toString(data.shape());
  return text;
}

DoubleLayer lossOf(const DrawnOperation& operation, const Operands& operands) {
  return std::visit([](const auto& layer) { return asLoss(layer); }, operation.apply(operands));
}

std::vector<DoubleTensorWeight> weightsOf(const DrawnOperation& operation) {
  return {operation.operands.begin(), operation.operands.end()};
}

DoubleTensorLayer layerOf(const DoubleTensorWeight& weight) { return DoubleTensorLayer(weight.node()); }

Operands operandsOf(const std::vector<DoubleTensorWeight>& weights) {
  Operands operands;
  std::ranges::transform(weights, std::back_inserter(operands), layerOf);
  return operands;
}

void checkWeights(const DrawnOperation& operation) {
  const auto weights = weightsOf(operation);
  checkGradientsIn(operation.mode, lossOf(operation, operandsOf(weights)), weights);
}

/// Checks operands whose shapes are not known before they run.
void checkLate(const DrawnOperation& operation) {
  const auto weights = weightsOf(operation);
  Operands operands = operandsOf(weights);
  for (auto& operand : operands) operand = lateLayer(operand);
  checkGradientsIn(operation.mode, lossOf(operation, operands), weights);
}

/// One weight among literals, each in turn.
void checkAmongLiterals(const DrawnOperation& operation) {
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    const DoubleTensorWeight weight(operation.operands[i]);
    Operands operands(operation.operands.begin(), operation.operands.end());
    operands[i] = layerOf(weight);
    checkGradientsIn(operation.mode, lossOf(operation, operands), {weight});
  }
}

/// The result is used twice, and the first operand by another layer as well.
void checkOnDiamond(const DrawnOperation& operation) {
  const auto weights = weightsOf(operation);
  Operands operands = operandsOf(weights);
  operands[0] = operands[0] + 0.0;
  const DoubleLayer result = lossOf(operation, operands);
  checkGradientsIn(operation.mode, result * result + result * asLoss(operands[0]), weights);
}

}  // namespace

void checkDraws(const std::function<DrawnOperation(Random&)>& draw, int draws) {
  Random random(41);
  for (int i = 0; i < draws; ++i) {
    const DrawnOperation operation = draw(random);
    INFO("draw ", i, ", of shapes ", shapesOf(operation));
    checkWeights(operation);
    switch (i % 3) {
      case 0:
        checkAmongLiterals(operation);
        break;
      case 1:
        checkLate(operation);
        break;
      default:
        checkOnDiamond(operation);
    }
  }
}

void checkReduction(
    const std::function<DoubleTensorLayer(const DoubleTensorLayer&, const Axes&, bool keepDims)>& reduce,
    bool ofNothing) {
  checkDraws([&](Random& random) {
    const Shape shape = ofNothing ? drawShape(random, 1) : drawFilledShape(random, 1);
    const Axes axes = drawAxes(random, shape.rank());
    const bool keepDims = random.below(2) == 0;
    return DrawnOperation{[=](const Operands& of) { return reduce(of[0], axes, keepDims); },
                          {drawApart(random, shape)}};
  });
}

void checkLoss(const std::function<DrawnResult(const DoubleTensorLayer&, const DoubleTensorLayer&)>& loss) {
  checkDraws([&](Random& random) {
    const Shape shape = drawFilledShape(random);
    const std::size_t side = random.below(3);  // the left one, the right one, or both
    return DrawnOperation{[=](const Operands& of) { return loss(of[0], of[1]); },
                          {random.tensor<double>(side == 1 ? shape : random.stretching(shape)),
                           random.tensor<double>(side == 0 ? shape : random.stretching(shape))}};
  });
}

void checkGradientsIn(Mode mode, const DoubleLayer& loss, const std::vector<DoubleTensorWeight>& weights) {
  constexpr std::uint64_t seed = 1;
  const auto exact = withSeed(seed, inMode(mode, gradients(loss))).blockingAwait();
  const auto value = [&] { return withSeed(seed, inMode(mode, predict(loss))).blockingAwait(); };
  CHECK(exact.loss == value());
  for (const auto& weight : weights) checkGradient<double>(value, weight, exact);
}

}  // namespace tapestry::test
