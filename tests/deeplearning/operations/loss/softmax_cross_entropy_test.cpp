#include <tapestry/deeplearning/operations/loss/softmax_cross_entropy.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::ShapeError;
using tapestry::softmaxCrossEntropy;
using tapestry::Tensor;
using Labels = std::vector<std::uint32_t>;

static_assert(std::same_as<decltype(softmaxCrossEntropy(Tensor<float>(), 1)), double>);
static_assert(
    std::same_as<decltype(softmaxCrossEntropy(tapestry::TensorWeight({}), 1)), tapestry::DoubleLayer>);

namespace {

auto withLabels(Labels labels) {
  return [labels](const auto& logits) { return softmaxCrossEntropy(logits, labels); };
}

}  // namespace

TEST_CASE(
    "softmaxCrossEntropy of one row is the logarithm of the sum of exponentials less the label's logit") {
  const Tensor<double> logits({3}, {1, 2, 3});
  CHECK(softmaxCrossEntropy(logits, 0) == doctest::Approx(2.4076059644443806).epsilon(1e-14));
  CHECK(valueOf(softmaxCrossEntropy(DoubleTensorLayer(logits), 2)) ==
        doctest::Approx(0.4076059644443806).epsilon(1e-14));
}

TEST_CASE("softmaxCrossEntropy of a batch is the mean over its rows") {
  const DoubleTensorLayer logits(Tensor<double>({2, 3}, {1, 2, 3, 0, 0, 0}));
  CHECK(valueOf(softmaxCrossEntropy(logits, {0, 1})) ==
        doctest::Approx((2.4076059644443806 + 1.0986122886681098) / 2).epsilon(1e-14));
}

TEST_CASE("the gradients of softmaxCrossEntropy are the central differences") {
  Random random(15);
  checkGradients(withLabels({1}), random.tensor<double>({3}));
  checkGradients(withLabels({0}), random.tensor<double>({1}));
  checkGradients(withLabels({2, 0, 2}), random.tensor<double>({3, 4}));
  checkGradients(onDiamond(withLabels({2, 0, 2})), random.tensor<double>({3, 4}));
  checkGradients(
      [](const auto& x) {
        return softmaxCrossEntropy(lateLayer(x), {1, 0});
      },
      random.tensor<double>({2, 2}));
  checkGradients<float>(withLabels({2, 0, 2}), random.tensor<float>({3, 4}));
  checkGradients<float>(onDiamond(withLabels({1})), random.tensor<float>({5}));
}

TEST_CASE_TEMPLATE("softmaxCrossEntropy and its gradient stay finite far from zero", T, float, double) {
  const tapestry::Weight<Tensor<T>> logits(Tensor<T>({2, 3}, {T(1e4), T(-1e4), 0, T(-1e4), T(1e4), T(1e4)}));
  const auto exact = gradients(softmaxCrossEntropy(logits, {0, 0})).blockingAwait();
  CHECK(exact.loss == doctest::Approx((2e4 + 0.6931471805599453) / 2).epsilon(1e-6));
  CHECK(exact.of(logits) == Tensor<T>({2, 3}, {0, 0, 0, T(-0.5), T(0.25), T(0.25)}));
}

TEST_CASE("a label must be one of the classes") {
  const DoubleTensorWeight logits(Tensor<double>::zeros({2, 3}));
  const char* const message =
      "tapestry::softmaxCrossEntropy: label out of range, got 3 in row 1, expected a label below 3";
  CHECK_THROWS_WITH_AS(softmaxCrossEntropy(logits.data(), {0, 3}), message, std::out_of_range);
  CHECK_THROWS_WITH_AS(softmaxCrossEntropy(logits, {0, 3}), message, std::out_of_range);
  CHECK(evaluationError(softmaxCrossEntropy(lateLayer(logits), {0, 3})) == message);
  CHECK_THROWS_WITH_AS(train(softmaxCrossEntropy(lateLayer(logits), {0, 3})).blockingAwait(), message,
                       std::out_of_range);
  CHECK(logits.data() == Tensor<double>::zeros({2, 3}));
}

TEST_CASE(
    "softmaxCrossEntropy needs one row with one label or as many rows as labels, and says so as soon as it "
    "can") {
  const auto refused = [](const tapestry::Shape& shape, const Labels& labels, const std::string& text) {
    const DoubleTensorWeight logits(Tensor<double>::zeros(shape));
    const std::string message = "tapestry::softmaxCrossEntropy: " + text;
    CHECK_THROWS_WITH_AS(softmaxCrossEntropy(logits.data(), labels), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(softmaxCrossEntropy(logits, labels), message.c_str(), ShapeError);
    CHECK(evaluationError(softmaxCrossEntropy(lateLayer(logits), labels)) == message);
  };
  refused({2, 3}, {1}, "the number of labels differs from the number of rows, got 1, expected 2");
  refused({3}, {1, 1}, "the number of labels differs from the number of rows, got 2, expected 1");
  refused({}, {1}, "logits of the wrong rank, got [], expected [C] or [B, C]");
  refused({1, 2, 3}, {1}, "logits of the wrong rank, got [1, 2, 3], expected [C] or [B, C]");
}

TEST_CASE("the gradients of softmaxCrossEntropy are the central differences, for any rows and labels") {
  checkDraws([](Random& random) {
    const std::size_t rows = 1 + random.below(4);
    const std::size_t classes = 1 + random.below(5);
    std::vector<std::uint32_t> labels(rows);
    for (std::uint32_t& label : labels) label = static_cast<std::uint32_t>(random.below(classes));
    return DrawnOperation{[=](const Operands& of) { return softmaxCrossEntropy(of[0], labels); },
                          {random.tensor<double>({rows, classes})}};
  });
}
