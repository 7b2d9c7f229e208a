// Defines GatedNetwork, the paper's gated network of two experts, in four forms: the Listings of its
// section 3, by their names, and direct style.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tapestry/deeplearning.hpp>
#include <utility>

#include "support/place.hpp"

namespace tapestry::examples {

/// 784-64-10, with a rectifier between, of tensors that are at the place.
template <class Place>
struct ExpertAt {
  using Values = typename Place::Values;

  ExpertAt(Generator& generator, const Place& place)
      : first(784, 64, generator, place), second(64, 10, generator, place) {}
  Layer<Values> operator()(const Values& image) const { return second(relu(first(image))); }

  Dense<Values> first;
  Dense<Values> second;
};

/// How one image finds its expert: a function from the image to ten logits.
enum class Form { eager, monadic, applicative, direct };

/// Must outlive the layers that it makes.
template <class Place>
class GatedNetworkAt {
 public:
  using Values = typename Place::Values;
  using Logits = Layer<Values>;
  using Score = Layer<typename Place::Number>;
  using Scores = std::pair<Score, Score>;

  explicit GatedNetworkAt(std::uint64_t seed, const Place& place = Place())
      : GatedNetworkAt(Generator(seed), place) {}

  /// The logits for one image of 784 pixels: of the expert with the higher score alone, times that score.
  Logits logits(const Values& image, Form form = Form::applicative) const;

  /// Gives every weight a fresh optimizer; the gate, which would otherwise settle on one expert before both
  /// have learnt, a slower one.
  void setOptimizers(const Optimizer<Values>& forGate, const Optimizer<Values>& forExperts) const;

  Weights weights() const {
    return {{"gates.0", gates[0]},
            {"gates.1", gates[1]},
            {"experts.0.first", experts[0].first},
            {"experts.0.second", experts[0].second},
            {"experts.1.first", experts[1].first},
            {"experts.1.second", experts[1].second}};
  }

  /// Called with the number of each expert that is chosen, from any thread.
  std::function<void(std::size_t)> onChosen = [](std::size_t) {};

  /// If they are set, called with the number of each score, and of each expert, that is evaluated, from any
  /// thread.
  std::function<void(std::size_t)> onScored;
  std::function<void(std::size_t)> onExpert;

  /// Two scores between 0 and 1, each a sigmoid of a dense 784-1 (Listing "gate").
  Scores gate(const Values& image) const;

  /// The experts (Listing "sub-networks").
  Logits leftSubnet(const Values& image) const { return expert(0, image); }
  Logits rightSubnet(const Values& image) const { return expert(1, image); }

  /// The four forms, which give equal values and equal gradients.
  Logits naiveGatedNet(const Values& image) const;
  Logits monadicGatedNet(Values image) const;
  Logits applicativeMonadicGatedNet(Values image) const;
  Logits directGatedNet(Values image) const;

  std::array<Dense<Values>, 2> gates;
  std::array<ExpertAt<Place>, 2> experts;

 private:
  using Number = typename Place::Number;

  GatedNetworkAt(Generator generator, const Place& place);

  Score score(std::size_t index, const Values& image) const;
  Logits expert(std::size_t index, const Values& image) const;

  /// The layers of the expert with the higher score. Layers of the rejected expert are never made.
  Logits choose(const Values& image, const Scores& scores, const Number& left, const Number& right) const;
};

using Expert = ExpertAt<HostPlace>;
using GatedNetwork = GatedNetworkAt<HostPlace>;

}  // namespace tapestry::examples
