#include "support/gated_network.hpp"

#include <tapestry/raii/direct/direct.hpp>

namespace tapestry::examples {

namespace {

/// The layer, whose every evaluation is told to the listener, if there is one, which must outlive the result.
template <class L>
L told(L layer, const std::function<void(std::size_t)>& listener, std::size_t index) {
  if (!listener) return layer;
  return unaryOperation<"told", Keep::nothing>(
      [&listener, index](const auto& value) {
        listener(index);
        return value;
      },
      [](auto delta) { return delta; })(layer);
}

/// 784-1, with wide weights, so that from the start different images find different experts.
Dense<> gateOf(Generator& generator) { return Dense<>(glorotUniform({784, 1}, generator, 8)); }

void optimize(const Dense<>& dense, const Optimizer<Tensor<float>>& optimizer) {
  dense.weight.setOptimizer(optimizer);
  dense.bias.setOptimizer(optimizer);
}

}  // namespace

GatedNetwork::GatedNetwork(Generator generator)
    : gates{gateOf(generator), gateOf(generator)}, experts{Expert(generator), Expert(generator)} {}

void GatedNetwork::setOptimizers(const Optimizer<Tensor<float>>& forGate,
                                 const Optimizer<Tensor<float>>& forExperts) const {
  for (const Dense<>& dense : gates) optimize(dense, forGate);
  for (const Expert& expert : experts)
    for (const Dense<>& dense : {expert.first, expert.second}) optimize(dense, forExperts);
}

DoubleLayer GatedNetwork::score(std::size_t index, const Tensor<float>& image) const {
  return told(sigmoid(sum(gates[index](image))), onScored, index);
}

TensorLayer GatedNetwork::expert(std::size_t index, const Tensor<float>& image) const {
  return told(experts[index](image), onExpert, index);
}

auto GatedNetwork::gate(const Tensor<float>& image) const -> Scores {
  return {score(0, image), score(1, image)};
}

TensorLayer GatedNetwork::choose(const Tensor<float>& image, const Scores& scores, double left,
                                 double right) const {
  const bool first = left > right;
  onChosen(first ? 0 : 1);
  return first ? scores.first * leftSubnet(image) : scores.second * rightSubnet(image);
}

TensorLayer GatedNetwork::logits(const Tensor<float>& image, Form form) const {
  switch (form) {
    case Form::eager:
      return naiveGatedNet(image);
    case Form::monadic:
      return monadicGatedNet(image);
    case Form::applicative:
      return applicativeMonadicGatedNet(image);
    default:
      return directGatedNet(image);
  }
}

// [eager]
/// The bad example: each blockingAwait evaluates the gate in a pass of its own, and
/// once more it runs in the pass of the network itself; meanwhile the calling thread is blocked.
TensorLayer GatedNetwork::naiveGatedNet(const Tensor<float>& image) const {
  const Scores scores = gate(image);
  const double left = predict(scores.first).blockingAwait();
  const double right = predict(scores.second).blockingAwait();
  return choose(image, scores, left, right);
}
// [/eager]

// [monadic]
/// One score after the other, then the expert.
TensorLayer GatedNetwork::monadicGatedNet(Tensor<float> image) const {
  Scores scores = gate(image);
  return TensorLayer(forward(scores.first).flatMap([this, image, scores](const auto& left) {
    return forward(scores.second).flatMap([this, image, scores, left](const auto& right) {
      return forward(choose(image, scores, left.data, right.data));
    });
  }));
}
// [/monadic]

// [applicative]
/// Both scores in parallel, then the expert.
TensorLayer GatedNetwork::applicativeMonadicGatedNet(Tensor<float> image) const {
  Scores scores = gate(image);
  return TensorLayer(tuple2(parallel(forward(scores.first)), parallel(forward(scores.second)))
                         .flatMap([this, image, scores](const auto& tapes) {
                           const auto& [left, right] = tapes;
                           return forward(choose(image, scores, left.data, right.data));
                         }));
}
// [/applicative]

// [direct]
/// The same as it would be written if values were at hand: `!` waits for both scores, in parallel, and blocks
/// no thread.
TensorLayer GatedNetwork::directGatedNet(Tensor<float> image) const {
  Scores scores = gate(image);
  return TensorLayer(tapestry::direct<Do>([this, image, scores] {
    const auto [left, right] = !scores;
    return !forward(choose(image, scores, left, right));
  }));
}
// [/direct]

}  // namespace tapestry::examples
