// expect: void softmaxCrossEntropy\(.*// expected logits and std::vector<std::uint32_t>; crossEntropy takes probabilities
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::TensorWeight& logits, const tapestry::Tensor<float>& labels) {
  return tapestry::softmaxCrossEntropy(logits, labels);
}
