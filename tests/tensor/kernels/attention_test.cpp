#include <tapestry/tensor/kernels/attention.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("scores are the dot products of queries and keys over the root of their width") {
  const Tensor<double> q({2, 4}, {1, 2, 3, 4, 0, 0, 0, 2});
  const Tensor<double> k({3, 4}, {1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1});
  CHECK(kernels::attentionScores(q, k) == Tensor<double>({2, 3}, {0.5, 2.5, 5, 0, 0, 1}));
  const Tensor<double> delta({2, 3}, {2, 0, 0, 0, 4, 0});
  CHECK(kernels::attentionScoresDerivativeLeft(delta, k) == Tensor<double>({2, 4}, {1, 0, 0, 0, 0, 2, 2, 0}));
  CHECK(kernels::attentionScoresDerivativeRight(delta, q) ==
        Tensor<double>({3, 4}, {1, 2, 3, 4, 0, 0, 0, 4, 0, 0, 0, 0}));
  CHECK(kernels::attentionScoresShape({5, 1, 2, 4}, {3, 7, 4}) == Shape{5, 3, 2, 7});
}

TEST_CASE("shapes of queries and keys that do not fit are named") {
  constexpr std::size_t many = std::size_t{1} << 31;
  CHECK_THROWS_WITH_AS(
      kernels::attentionScoresShape({2, 3, 4}, {5, 3, 4}),
      "tapestry::scaledDotProductAttention: leading axes do not broadcast, got [2, 3, 4] and "
      "[5, 3, 4], expected extents that are equal or 1 before the last two axes",
      tapestry::ShapeError);
  CHECK_THROWS_WITH_AS(kernels::attentionScoresShape({many, 1, 1, 4}, {1, many, 1, 4}),
                       "tapestry::Shape: too large, got [2147483648, 2147483648], expected a size that "
                       "memory can hold",
                       tapestry::ShapeError);
}

TEST_CASE_TEMPLATE("attention weights add up to 1 over what a row may see, on each instruction set", T, float,
                   double) {
  onEachInstructionSet([] {
    Random random(28);
    for (std::size_t n = 1; n < 30; ++n) {
      const auto scores = random.tensor<T>({2, 20, n}, -1e4, 1e4);
      for (const bool causal : {false, true}) {
        const auto weights = kernels::attentionWeights(scores, {causal});
        for (std::size_t row = 0; row < 40; ++row) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) {
            const T weight = weights.data()[row * n + i];
            CHECK(weight >= 0);
            if (causal && i > row % 20) CHECK(weight == 0);
            sum += static_cast<double>(weight);
          }
          CHECK(sum == doctest::Approx(1).epsilon(1e-5));
        }
      }
    }
  });
}

TEST_CASE("a row that sees nothing has no weights, and NaN is not hidden") {
  const float inf = INFINITY;
  CHECK(kernels::attentionWeights(Tensor<float>({2, 2}, {-inf, -inf, 0, -inf}), {}) ==
        Tensor<float>({2, 2}, {0, 0, 1, 0}));
  CHECK(std::isnan(kernels::attentionWeights(Tensor<float>({1, 2}, {NAN, 0}), {})(0, 1)));
}

TEST_CASE("the derivative of attention weights is that of a softmax") {
  const Tensor<double> weights({1, 3}, {0.25, 0.75, 0});
  const Tensor<double> delta({1, 3}, {4, 8, 100});
  CHECK(kernels::attentionWeightsDerivative(delta, weights) == Tensor<double>({1, 3}, {-0.75, 0.75, 0}));
  CHECK_THROWS_WITH_AS(kernels::attentionWeightsDerivative(Tensor<double>::zeros({3}), weights),
                       "tapestry::scaledDotProductAttention: the shapes differ, got [3], expected [1, 3]",
                       tapestry::ShapeError);
}
