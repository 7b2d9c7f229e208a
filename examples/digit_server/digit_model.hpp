// Defines DigitModel, the gated network as a server asks it: for several images at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tapestry/raii.hpp>
#include <tapestry/tensor/tensor.hpp>
#include <vector>

#include "support/gated_network.hpp"

namespace tapestry::examples {

/// The answer of the network for one image.
struct Answer {
  std::array<float, 10> probabilities{};
  std::array<float, 2> scores{};  ///< of the gate, one for each expert
  std::size_t expert = 0;         ///< with the higher score; it alone has given the probabilities

  [[nodiscard]] std::size_t digit() const;
};

/// Must outlive its programs, which may run while the network is trained.
class DigitModel {
 public:
  explicit DigitModel(std::uint64_t seed) : network_(seed) {}

  const GatedNetwork& network() const { return network_; }

  /// Yields one answer for each image, a tensor of 784 pixels from 0 to 1: what
  /// softmax(network().logits(image)) gives, with one product for all images of an expert in place of one for
  /// each image.
  Do<std::vector<Answer>> answer(const std::vector<Tensor<float>>& images) const;

 private:
  Do<std::vector<Answer>> ask(std::size_t expert, const Tensor<float>& all,
                              std::vector<Answer> answers) const;

  GatedNetwork network_;
};

}  // namespace tapestry::examples
