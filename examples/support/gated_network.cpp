#include "support/gated_network.hpp"

#include <tapestry/raii/direct/direct.hpp>

namespace tapestry::examples {

namespace {

/// Returns the layer; each evaluation is reported to the listener, if there is one, which must outlive the
/// result.
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
template <class Place>
Dense<typename Place::Values> gateOf(Generator& generator, const Place& place) {
  return Dense<typename Place::Values>(place(glorotUniform({784, 1}, generator, 8)));
}

template <class Values>
void optimize(const Dense<Values>& dense, const Optimizer<Values>& optimizer) {
  dense.weight.setOptimizer(optimizer);
  dense.bias.setOptimizer(optimizer);
}

}  // namespace

template <class Place>
GatedNetworkAt<Place>::GatedNetworkAt(Generator generator, const Place& place)
    : gates{gateOf(generator, place), gateOf(generator, place)},
      experts{ExpertAt<Place>(generator, place), ExpertAt<Place>(generator, place)} {}

template <class Place>
void GatedNetworkAt<Place>::setOptimizers(const Optimizer<Values>& forGate,
                                          const Optimizer<Values>& forExperts) const {
  for (const auto& dense : gates) optimize(dense, forGate);
  for (const auto& expert : experts)
    for (const auto& dense : {expert.first, expert.second}) optimize(dense, forExperts);
}

template <class Place>
auto GatedNetworkAt<Place>::score(std::size_t index, const Values& image) const -> Score {
  return told(sigmoid(sum(gates[index](image))), onScored, index);
}

template <class Place>
auto GatedNetworkAt<Place>::expert(std::size_t index, const Values& image) const -> Logits {
  return told(experts[index](image), onExpert, index);
}

template <class Place>
auto GatedNetworkAt<Place>::gate(const Values& image) const -> Scores {
  return {score(0, image), score(1, image)};
}

template <class Place>
auto GatedNetworkAt<Place>::choose(const Values& image, const Scores& scores, const Number& left,
                                   const Number& right) const -> Logits {
  return Place::whether(left, right, [this, image, scores](bool first) -> Logits {
    onChosen(first ? 0 : 1);
    return first ? scores.first * leftSubnet(image) : scores.second * rightSubnet(image);
  });
}

template <class Place>
auto GatedNetworkAt<Place>::logits(const Values& image, Form form) const -> Logits {
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

/// The bad example: each blockingAwait evaluates the gate in a separate pass, and
/// once more it runs in the pass of the network itself; meanwhile the calling thread is blocked.
template <class Place>
auto GatedNetworkAt<Place>::naiveGatedNet(const Values& image) const -> Logits {
  const Scores scores = gate(image);
  const Number left = predict(scores.first).blockingAwait();
  const Number right = predict(scores.second).blockingAwait();
  return choose(image, scores, left, right);
}

/// One score after the other, then the expert.
template <class Place>
auto GatedNetworkAt<Place>::monadicGatedNet(Values image) const -> Logits {
  Scores scores = gate(image);
  return Logits(forward(scores.first).flatMap([this, image, scores](const auto& left) {
    return forward(scores.second).flatMap([this, image, scores, left](const auto& right) {
      return forward(choose(image, scores, left.data, right.data));
    });
  }));
}

/// Both scores in parallel, then the expert.
template <class Place>
auto GatedNetworkAt<Place>::applicativeMonadicGatedNet(Values image) const -> Logits {
  Scores scores = gate(image);
  return Logits(tuple2(parallel(forward(scores.first)), parallel(forward(scores.second)))
                    .flatMap([this, image, scores](const auto& tapes) {
                      const auto& [left, right] = tapes;
                      return forward(choose(image, scores, left.data, right.data));
                    }));
}

// [direct]
/// The same in direct style: `!` waits for both scores, in parallel, and blocks no thread.
template <class Place>
auto GatedNetworkAt<Place>::directGatedNet(Values image) const -> Logits {
  Scores scores = gate(image);
  return Logits(tapestry::direct<Do>([this, image, scores] {
    const auto [left, right] = !scores;
    return !forward(choose(image, scores, left, right));
  }));
}
// [/direct]

// HostPlace or DevicePlace: each has an object file of its own, so that a program for the host loads no
// driver.
template class GatedNetworkAt<TAPESTRY_PLACE>;

}  // namespace tapestry::examples
