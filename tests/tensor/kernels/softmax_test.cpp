#include <tapestry/tensor/kernels/softmax.hpp>

#include <array>
#include <stdexcept>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

template <class T>
double exactLogSumExp(const T* row, std::size_t n) {
  const double largest = static_cast<double>(*std::max_element(row, row + n));
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(row[i]) - largest);
  return largest + std::log(sum);
}

std::vector<std::uint32_t> randomLabels(Random& random, std::size_t count, std::size_t classes) {
  std::vector<std::uint32_t> labels(count);
  for (auto& label : labels) label = static_cast<std::uint32_t>(random.below(classes));
  return labels;
}

}  // namespace

TEST_CASE_TEMPLATE("rows of any number and length agree with plain loops", T, float, double) {
  onEachInstructionSet([] {
    Random random(13);
    for (std::size_t classes = 1; classes < 40; ++classes) {
      const std::size_t rows = 1 + 7 * classes % 41;
      const auto logits = random.tensor<T>({rows, classes}, -10, 10);
      const auto labels = randomLabels(random, rows, classes);
      const auto delta = random.tensor<T>({rows});
      const auto loss = kernels::crossEntropyRows(logits, labels);
      const auto derivative = kernels::crossEntropyRowsDerivative(delta, logits, labels);
      REQUIRE(loss.shape() == Shape{rows});
      REQUIRE(derivative.shape() == logits.shape());
      for (std::size_t i = 0; i < rows; ++i) {
        const double exact = exactLogSumExp(logits.data() + i * classes, classes);
        CHECK(isNear(loss(i), exact - static_cast<double>(logits(i, labels[i])), 20));
        for (std::size_t j = 0; j < classes; ++j) {
          const double probability = std::exp(static_cast<double>(logits(i, j)) - exact);
          CHECK(isNear(derivative(i, j), delta(i) * (probability - (labels[i] == j)), 2));
        }
      }
    }
  });
}

TEST_CASE("a single row needs no batch axis") {
  const Tensor<double> logits({3}, {1, 2, 3});
  const std::array<std::uint32_t, 1> label{2};
  const double logSumExp = std::log(std::exp(1) + std::exp(2) + std::exp(3));
  const auto loss = kernels::crossEntropyRows(logits, label);
  CHECK(loss.shape() == Shape{});
  CHECK(loss.item() == doctest::Approx(logSumExp - 3));
  const auto derivative = kernels::crossEntropyRowsDerivative(Tensor<double>::scalar(2), logits, label);
  CHECK(derivative(2) == doctest::Approx(2 * (std::exp(3 - logSumExp) - 1)));
}

TEST_CASE("logits of ten thousand neither overflow nor lose the result") {
  onEachInstructionSet([] {
    const Tensor<float> logits({3, 2}, {1e4F, -1e4F, 1e4F, 1e4F, -1e4F, -1e4F});
    const std::array<std::uint32_t, 3> labels{1, 0, 1};
    const auto loss = kernels::crossEntropyRows(logits, labels);
    CHECK(loss(0) == 2e4F);
    CHECK(loss(1) == doctest::Approx(std::log(2)));
    CHECK(loss(2) == doctest::Approx(std::log(2)));
    CHECK(kernels::crossEntropyRowsDerivative(Tensor<float>::full({3}, 1), logits, labels)(0, 1) == -1);
  });
}

TEST_CASE("a row of infinite or missing logits is as it is alone, among many and among few") {
  onEachInstructionSet([] {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const std::size_t rows : {1, 3, 6, 20}) {
      const std::vector<std::uint32_t> labels(rows, 1);
      const auto of = [&](float other, float labelled) {
        auto logits = Tensor<float>::full({rows, 2}, 0.5F);
        float* const last = logits.exclusiveData() + 2 * (rows - 1);
        last[0] = other, last[1] = labelled;
        return logits;
      };
      const auto lossOf = [&](float other, float labelled) {
        const auto losses = kernels::crossEntropyRows(of(other, labelled), labels);
        if (rows > 1) CHECK(losses(0) == doctest::Approx(std::log(2)));
        return losses(rows - 1);
      };
      const auto derivativeOf = [&](float other, float labelled) {
        const auto derivative =
            kernels::crossEntropyRowsDerivative(Tensor<float>::full({rows}, 1), of(other, labelled), labels);
        if (rows > 1) CHECK(derivative(0, 0) == 0.5F);
        return derivative(rows - 1, 1);
      };
      CHECK(lossOf(infinity, 0) == infinity);
      CHECK(lossOf(0, -infinity) == infinity);
      CHECK(lossOf(-infinity, 0) == 0);
      CHECK(std::isnan(lossOf(-infinity, -infinity)));
      CHECK(std::isnan(lossOf(std::nanf(""), 0)));
      CHECK(std::isnan(lossOf(0, std::nanf(""))));
      CHECK(derivativeOf(0, -infinity) == -1);
      CHECK(derivativeOf(-infinity, 0) == 0);
      CHECK(std::isnan(derivativeOf(std::nanf(""), 0)));
      CHECK(std::isnan(derivativeOf(infinity, 0)));
    }
  });
}

TEST_CASE("a batch may be empty") {
  const auto logits = Tensor<float>::zeros({0, 10});
  CHECK(kernels::crossEntropyRows(logits, {}).shape() == Shape{0});
}

TEST_CASE("labels are checked") {
  const auto logits = Tensor<float>::zeros({2, 10});
  const std::array<std::uint32_t, 2> tooLarge{3, 10};
  CHECK_THROWS_WITH_AS(
      kernels::crossEntropyRows(logits, tooLarge),
      "tapestry::softmaxCrossEntropy: label out of range, got 10 in row 1, expected a label below 10",
      std::out_of_range);
  CHECK_THROWS_AS(kernels::crossEntropyRowsDerivative(Tensor<float>::zeros({2}), logits, tooLarge),
                  std::out_of_range);
  const std::array<std::uint32_t, 1> tooFew{3};
  CHECK_THROWS_WITH_AS(
      kernels::crossEntropyRows(logits, tooFew),
      "tapestry::softmaxCrossEntropy: the number of labels differs from the number of rows, got 1, "
      "expected 2",
      ShapeError);
}

TEST_CASE("logits and deltas of the wrong shape are refused") {
  const std::array<std::uint32_t, 2> labels{0, 0};
  CHECK_THROWS_WITH_AS(
      kernels::crossEntropyRows(Tensor<float>::zeros({1, 2, 3}), labels),
      "tapestry::softmaxCrossEntropy: logits of the wrong rank, got [1, 2, 3], expected [C] or [B, C]",
      ShapeError);
  CHECK_THROWS_WITH_AS(
      kernels::crossEntropyRowsDerivative(Tensor<float>::zeros({2, 1}), Tensor<float>::zeros({2, 3}), labels),
      "tapestry::softmaxCrossEntropy: a delta of the wrong shape, got [2, 1], expected [2]", ShapeError);
}
