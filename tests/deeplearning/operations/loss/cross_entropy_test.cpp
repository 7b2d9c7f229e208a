#include <tapestry/deeplearning/operations/loss/cross_entropy.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("crossEntropy of a distribution that is one class is that of its index") {
  const Tensor<double> logits({2, 3}, {1, 2, 3, -1, 0, 4});
  const Tensor<double> oneHot({2, 3}, {0, 0, 1, 1, 0, 0});
  CHECK(crossEntropy(logits, oneHot) == doctest::Approx(crossEntropy(logits, {2, 0})).epsilon(1e-14));
  CHECK(crossEntropy(logits, {2, 0}) == softmaxCrossEntropy(logits, {2, 0}));
}

TEST_CASE("crossEntropy is least where the softmax is the distribution, and then its entropy") {
  const Tensor<double> target({2}, {0.25, 0.75});
  const Tensor<double> logits({2}, {0, std::log(3.0)});
  const double entropy = -(0.25 * std::log(0.25) + 0.75 * std::log(0.75));
  CHECK(crossEntropy(logits, target) == doctest::Approx(entropy));
  CHECK(crossEntropy(Tensor<double>({2}, {0, 1}), target) > entropy);
}

TEST_CASE("crossEntropy is finite for large logits") {
  const Tensor<float> logits({2}, {1e4F, -1e4F});
  CHECK(crossEntropy(logits, Tensor<float>({2}, {0, 1})) == 2e4);
}

TEST_CASE("the gradients of crossEntropy are the central differences, for both operands") {
  const Tensor<double> logits({2, 3}, {0.1, 0.2, -0.3, -1, 0, 0.4});
  const Tensor<double> target({2, 3}, {0.2, 0.3, 0.5, 0.1, 0.1, 0.8});
  const auto loss = [](const auto& x, const auto& t) { return crossEntropy(x, t); };
  checkGradients(loss, logits, target);
  checkGradients(loss, logits, Tensor<double>({3}, {0.2, 0.3, 0.5}));
}

TEST_CASE("the gradients of crossEntropy are the central differences, for targets that broadcast") {
  checkDraws([](Random& random) {
    const Shape shape = drawFilledShape(random, 1);
    return DrawnOperation{
        [](const Operands& of) { return crossEntropy(of[0], of[1]); },
        {random.tensor<double>(shape), random.tensor<double>(random.stretching(shape), 0, 1)}};
  });
}

TEST_CASE("operands that do not broadcast are refused by crossEntropy, as soon as they are known") {
  checkRefusal([](const auto& x, const auto& y) { return crossEntropy(x, y); }, "crossEntropy",
               "[2] and [2, 3]");
}
