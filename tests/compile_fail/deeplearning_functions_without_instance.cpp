// expect: // expected a Differentiable scalar or tensor
// expect-each: void NAME\(.*// expected
// expect-errors: 69
// expect-lines: 690
// (each operation that is called by a name, ten lines for each)
#include <string>
#include <vector>

#include "tapestry/deeplearning.hpp"

using Text = std::string;
extern const tapestry::Indices indices;

auto abs(const Text& text) { return tapestry::abs(text); }
auto affine(const Text& text) { return tapestry::affine(text, text, text); }
auto argmax(const Text& text) { return tapestry::argmax(text, 0); }
auto avgPool2d(const Text& text) { return tapestry::avgPool2d(text, {.window = 2}); }
auto batchNorm(const Text& text) { return tapestry::batchNorm(text, text, text, text); }
auto binaryCrossEntropyWithLogits(const Text& text) {
  return tapestry::binaryCrossEntropyWithLogits(text, text);
}
auto broadcastTo(const Text& text) { return tapestry::broadcastTo(text, {1}); }
auto clamp(const Text& text) { return tapestry::clamp(text, 1, 1); }
auto concat(const Text& text) { return tapestry::concat(text); }
auto conv2d(const Text& text) { return tapestry::conv2d(text, text); }
auto cos(const Text& text) { return tapestry::cos(text); }
auto crossEntropy(const Text& text) { return tapestry::crossEntropy(text, text); }
auto dot(const Text& text) { return tapestry::dot(text, text); }
auto dropout(const Text& text) { return tapestry::dropout(text, 1); }
auto einsum(const Text& text) { return tapestry::einsum("ij,jk->ik", text, text); }
auto element(const Text& text) { return tapestry::element(text, {0}); }
auto elu(const Text& text) { return tapestry::elu(text); }
auto embedding(const Text& text) { return tapestry::embedding(text, indices); }
auto exp(const Text& text) { return tapestry::exp(text); }
auto expandDims(const Text& text) { return tapestry::expandDims(text, 0); }
auto expm1(const Text& text) { return tapestry::expm1(text); }
auto gather(const Text& text) { return tapestry::gather(text, indices); }
auto gelu(const Text& text) { return tapestry::gelu(text); }
auto hinge(const Text& text) { return tapestry::hinge(text, text); }
auto huber(const Text& text) { return tapestry::huber(text, text); }
auto layerNorm(const Text& text) { return tapestry::layerNorm(text); }
auto leakyRelu(const Text& text) { return tapestry::leakyRelu(text, 1); }
auto log(const Text& text) { return tapestry::log(text); }
auto log1p(const Text& text) { return tapestry::log1p(text); }
auto logSoftmax(const Text& text) { return tapestry::logSoftmax(text); }
auto logSumExp(const Text& text) { return tapestry::logSumExp(text, {0}); }
auto matmul(const Text& text) { return tapestry::matmul(text, text); }
auto max(const Text& text) { return tapestry::max(text, text); }
auto maxPool2d(const Text& text) { return tapestry::maxPool2d(text, {.window = 2}); }
auto mean(const Text& text) { return tapestry::mean(text); }
auto min(const Text& text) { return tapestry::min(text, text); }
auto mse(const Text& text) { return tapestry::mse(text, text); }
auto norm(const Text& text) { return tapestry::norm(text, {0}); }
auto outer(const Text& text) { return tapestry::outer(text, text); }
auto pad(const Text& text) { return tapestry::pad(text, {{1, 1}}); }
auto permute(const Text& text) { return tapestry::permute(text, {0}); }
auto pow(const Text& text) { return tapestry::pow(text, text); }
auto relu(const Text& text) { return tapestry::relu(text); }
auto reshape(const Text& text) { return tapestry::reshape(text, {1}); }
auto scaledDotProductAttention(const Text& text) {
  return tapestry::scaledDotProductAttention(text, text, text);
}
auto scatter(const Text& text) { return tapestry::scatter(text, indices, 0, 1); }
auto sigmoid(const Text& text) { return tapestry::sigmoid(text); }
auto sign(const Text& text) { return tapestry::sign(text); }
auto silu(const Text& text) { return tapestry::silu(text); }
auto sin(const Text& text) { return tapestry::sin(text); }
auto slice(const Text& text) { return tapestry::slice(text, std::vector<tapestry::Slice>()); }
auto softmax(const Text& text) { return tapestry::softmax(text); }
auto softmaxCrossEntropy(const Text& text) { return tapestry::softmaxCrossEntropy(text, text); }
auto softplus(const Text& text) { return tapestry::softplus(text); }
auto split(const Text& text) { return tapestry::split(text, 1, 1); }
auto sqrt(const Text& text) { return tapestry::sqrt(text); }
auto stack(const Text& text) { return tapestry::stack(text); }
auto sum(const Text& text) { return tapestry::sum(text); }
auto tanh(const Text& text) { return tapestry::tanh(text); }
auto translate(const Text& text) { return tapestry::translate(text, {0}); }
auto transpose(const Text& text) { return tapestry::transpose(text); }
auto variance(const Text& text) { return tapestry::variance(text, {0}); }
auto where(const Text& text) { return tapestry::where(text, text, text); }
auto equal(const Text& text) { return tapestry::equal(text, text); }
auto greater(const Text& text) { return tapestry::greater(text, text); }
auto greaterEqual(const Text& text) { return tapestry::greaterEqual(text, text); }
auto less(const Text& text) { return tapestry::less(text, text); }
auto lessEqual(const Text& text) { return tapestry::lessEqual(text, text); }
auto notEqual(const Text& text) { return tapestry::notEqual(text, text); }
