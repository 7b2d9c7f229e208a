// expect: this operation expected labels, a std::vector<std::uint32_t> or a number; crossEntropy takes prob
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::TensorWeight& logits, const tapestry::Tensor<float>& labels) {
  return tapestry::softmaxCrossEntropy(logits, labels);
}
