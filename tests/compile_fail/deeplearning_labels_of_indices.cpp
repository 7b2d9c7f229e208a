// expect: void crossEntropy\(.*// expected logits, and targets of their element type or std::vector<std::uint32_t>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::TensorWeight& logits, const tapestry::Indices& labels) {
  return tapestry::crossEntropy(logits, labels);
}
