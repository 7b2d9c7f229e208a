#include "work/gated.hpp"

#include "work/digits.hpp"

namespace tapestry::benchmarks {

GatedWork::GatedWork() : weights(valuesOf(examples::GatedNetwork(1).weights())) {
  const examples::Digits digits = trainingDigits();
  for (std::size_t i = 0; i < images; ++i) {
    pixels.push_back(digits.tensor(i));
    labels.push_back(digits.labels[i]);
  }
}

}  // namespace tapestry::benchmarks
