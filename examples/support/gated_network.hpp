// Defines GatedNetwork, the paper's gated network of two experts, in four forms: the Listings of its
// section 3, by their names, and direct style.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tapestry/deeplearning.hpp>
#include <utility>

namespace tapestry::examples {

/// 784-64-10, with a rectifier between.
struct Expert {
  explicit Expert(Generator& generator) : first(784, 64, generator), second(64, 10, generator) {}
  TensorLayer operator()(const Tensor<float>& image) const { return second(relu(first(image))); }

  Dense<> first;
  Dense<> second;
};

/// How one image finds its expert: a function from the image to ten logits.
enum class Form { eager, monadic, applicative, direct };

/// Must outlive the layers that it makes.
class GatedNetwork {
 public:
  using Scores = std::pair<DoubleLayer, DoubleLayer>;

  explicit GatedNetwork(std::uint64_t seed) : GatedNetwork(Generator(seed)) {}

  /// The logits for one image of 784 pixels: of the expert with the higher score alone, times that score.
  TensorLayer logits(const Tensor<float>& image, Form form = Form::applicative) const;

  /// Gives every weight a fresh optimizer; the gate, which would otherwise settle on one expert before both
  /// have learnt, a slower one.
  void setOptimizers(const Optimizer<Tensor<float>>& forGate,
                     const Optimizer<Tensor<float>>& forExperts) const;

  /// Called with the number of each expert that is chosen, from any thread.
  std::function<void(std::size_t)> onChosen = [](std::size_t) {};

  /// If they are set, called with the number of each score, and of each expert, that is evaluated, from any
  /// thread.
  std::function<void(std::size_t)> onScored;
  std::function<void(std::size_t)> onExpert;

  /// Two scores between 0 and 1, each a sigmoid of a dense 784-1 (Listing "gate").
  Scores gate(const Tensor<float>& image) const;

  /// The experts (Listing "sub-networks").
  TensorLayer leftSubnet(const Tensor<float>& image) const { return expert(0, image); }
  TensorLayer rightSubnet(const Tensor<float>& image) const { return expert(1, image); }

  /// The four forms, which give equal values and equal gradients.
  TensorLayer naiveGatedNet(const Tensor<float>& image) const;
  TensorLayer monadicGatedNet(Tensor<float> image) const;
  TensorLayer applicativeMonadicGatedNet(Tensor<float> image) const;
  TensorLayer directGatedNet(Tensor<float> image) const;

  std::array<Dense<>, 2> gates;
  std::array<Expert, 2> experts;

 private:
  explicit GatedNetwork(Generator generator);

  DoubleLayer score(std::size_t index, const Tensor<float>& image) const;
  TensorLayer expert(std::size_t index, const Tensor<float>& image) const;

  /// The layers of the expert with the higher score. Layers of the rejected expert are never made.
  TensorLayer choose(const Tensor<float>& image, const Scores& scores, double left, double right) const;
};

}  // namespace tapestry::examples
