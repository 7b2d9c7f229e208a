#include "support/gated_network.hpp"

#include <cmath>
#include <tapestry/raii/direct.hpp>
#include <vector>

namespace tapestry::examples {

namespace {

/// Uniform between -bound and bound, where bound = gain * sqrt(6 / (inputs + outputs)) (Glorot and Bengio,
/// 2010).
Tensor<float> glorot(std::size_t inputs, std::size_t outputs, double gain, Random& random) {
  constexpr std::uint64_t steps = 1 << 24;
  const double bound = gain * std::sqrt(6.0 / static_cast<double>(inputs + outputs));
  std::vector<float> values(inputs * outputs);
  for (float& value : values)
    value = static_cast<float>(bound * (2 * static_cast<double>(random.below(steps)) / steps - 1));
  return Tensor<float>({inputs, outputs}, values);
}

/// The layer, whose every evaluation is told to the listener, if there is one. Both must outlive it.
template <class L>
L told(const L& layer, const std::function<void(std::size_t)>& listener, std::size_t index) {
  if (!listener) return layer;
  return unaryOperation<"told", Keep::nothing>(
      [&listener, index](const auto& value) {
        listener(index);
        return value;
      },
      [](auto delta) { return delta; })(layer);
}

/// Wide, so that from the start different images find different experts.
constexpr double gateGain = 8;

}  // namespace

Dense::Dense(std::size_t inputs, std::size_t outputs, Random& random, double gain)
    : weight(glorot(inputs, outputs, gain, random)), bias(Tensor<float>::zeros({outputs})) {}

void Dense::setOptimizer(const Optimizer<Tensor<float>>& optimizer) const {
  weight.setOptimizer(optimizer);
  bias.setOptimizer(optimizer);
}

Expert::Expert(Random& random) : first(784, 64, random), second(64, 10, random) {}

GatedNetwork::GatedNetwork(Random random)
    : gates{Dense(784, 1, random, gateGain), Dense(784, 1, random, gateGain)},
      experts{Expert(random), Expert(random)} {}

void GatedNetwork::setOptimizers(const Optimizer<Tensor<float>>& forGate,
                                 const Optimizer<Tensor<float>>& forExperts) const {
  for (const Dense& dense : gates) dense.setOptimizer(forGate);
  for (const Expert& expert : experts)
    for (const Dense& dense : {expert.first, expert.second}) dense.setOptimizer(forExperts);
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
