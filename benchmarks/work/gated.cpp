#include "work/gated.hpp"

#include <algorithm>

#include "work/digits.hpp"

namespace tapestry::benchmarks {

GatedWork::GatedWork() : weights(valuesOf(weightsOf(examples::GatedNetwork(1)))) {
  const examples::Digits digits = trainingDigits();
  for (std::size_t i = 0; i < images; ++i) {
    auto image = Tensor<float>::uninitialized({examples::Digits::imageSize});
    std::ranges::transform(digits.image(i), image.exclusiveData(),
                           [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
    pixels.push_back(std::move(image));
    labels.push_back(digits.labels[i]);
  }
}

Weights GatedWork::weightsOf(const examples::GatedNetwork& network) {
  const auto& [left, right] = network.experts;
  return {{"gate.0", network.gates[0]},    {"gate.1", network.gates[1]},
          {"expert.0.first", left.first},  {"expert.0.second", left.second},
          {"expert.1.first", right.first}, {"expert.1.second", right.second}};
}

}  // namespace tapestry::benchmarks
