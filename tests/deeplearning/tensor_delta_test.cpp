#include <tapestry/deeplearning/tensor_delta.hpp>

#include <vector>

#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/shape_error.hpp"
#include "tensor/kernels/support.hpp"

using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;
using tapestry::TensorDelta;
using tapestry::test::Random;

namespace {

template <class T>
struct Factors {
  Tensor<T> left;
  Tensor<T> right;

  TensorDelta<T> symbolic() const { return TensorDelta<T>::product(left, right); }
  Tensor<T> dense() const {
    using tapestry::kernels::Transpose;
    return tapestry::kernels::matmul(left, Transpose::yes, right, Transpose::no);
  }
};

// Integers, so that sums are exact in any order.
template <class T>
Factors<T> drawFactors(Random& random, std::size_t m, std::size_t n) {
  const std::size_t rows = random.below(4);
  return {random.integers<T>({rows, m}), random.integers<T>({rows, n})};
}

}  // namespace

TEST_CASE("a new delta is empty") {
  TensorDelta<float> delta;
  CHECK(delta.empty());
  delta.add(TensorDelta<float>());
  CHECK(delta.empty());
}

TEST_CASE("a dense delta is its tensor") {
  const TensorDelta<double> delta(Tensor<double>({2}, {1, 2}));
  CHECK_FALSE(delta.empty());
  CHECK(delta.shape() == Shape{2});
  CHECK(delta.dense() == Tensor<double>({2}, {1, 2}));
}

TEST_CASE("a product is the transpose of its left factor times its right factor") {
  const auto delta =
      TensorDelta<double>::product(Tensor<double>({2, 1}, {2, 3}), Tensor<double>({2, 2}, {1, 2, 3, 4}));
  CHECK_FALSE(delta.empty());
  CHECK(delta.shape() == Shape{1, 2});
  CHECK(delta.dense() == Tensor<double>({1, 2}, {11, 16}));
}

TEST_CASE_TEMPLATE("sums of dense deltas and products, in any order, are the dense sum", T, float, double) {
  Random random(21);
  for (int round = 0; round < 100; ++round) {
    const std::size_t m = 1 + random.below(4);
    const std::size_t n = 1 + random.below(4);
    TensorDelta<T> sum;
    auto expected = Tensor<T>::zeros({m, n});
    for (std::size_t parts = 1 + random.below(5); parts > 0; --parts) {
      TensorDelta<T> part;
      for (std::size_t terms = random.below(4); terms > 0; --terms) {
        const auto factors = drawFactors<T>(random, m, n);
        const bool dense = random.below(3) == 0;
        tapestry::kernels::addInto(expected, factors.dense());
        part.add(dense ? TensorDelta<T>(factors.dense()) : factors.symbolic());
      }
      sum.add(std::move(part));
    }
    if (sum.empty()) continue;
    CHECK(sum.shape() == Shape{m, n});
    CHECK(sum.dense() == expected);
    CHECK(std::move(sum).dense() == expected);
  }
}

TEST_CASE("products of no rows, and of matrices without columns, have a shape") {
  const auto zero = TensorDelta<float>::product(Tensor<float>::zeros({0, 2}), Tensor<float>::zeros({0, 3}));
  CHECK(zero.dense() == Tensor<float>::zeros({2, 3}));
  const auto none = TensorDelta<float>::product(Tensor<float>::zeros({2, 0}), Tensor<float>::zeros({2, 3}));
  CHECK(none.dense() == Tensor<float>::zeros({0, 3}));
}

TEST_CASE_TEMPLATE("a delta is added to a tensor, scaled, as its dense sum would be", T, float, double) {
  const Tensor<T> left({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor<T> right({2, 2}, {1, -1, 2, 3});
  const auto x = Tensor<T>::full({3, 2}, 100);
  for (const int products : {0, 1, 3})
    for (const bool withDense : {false, true}) {
      if (products == 0 && !withDense) continue;
      TensorDelta<T> delta;
      for (int i = 0; i < products; ++i) delta.add(TensorDelta<T>::product(left, right));
      if (withDense) delta.add(Tensor<T>::full({3, 2}, 7));
      const auto dense = delta.dense();
      const auto sum = std::move(delta).addTo(x, -2);
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(sum.data()[i] == 100 - 2 * dense.data()[i]);
      CHECK(x.data()[0] == 100);
    }
  CHECK_THROWS_AS(TensorDelta<T>::product(left, right).addTo(Tensor<T>::zeros({2, 3}), 1), ShapeError);
}

TEST_CASE("adding leaves tensors alone that others hold") {
  const Tensor<double> mine({1, 1}, {1});
  TensorDelta<double> sum{mine};
  sum.add(TensorDelta<double>(mine));
  const auto before = sum;
  sum.add(TensorDelta<double>::product(mine, mine));
  CHECK(before.dense() == Tensor<double>({1, 1}, {2}));
  CHECK(std::move(sum).dense() == Tensor<double>({1, 1}, {3}));
  CHECK(before.dense() == Tensor<double>({1, 1}, {2}));
  CHECK(mine == Tensor<double>({1, 1}, {1}));
}

TEST_CASE("the factors of a product must be matrices with the same number of rows") {
  const auto product = [](const Shape& left, const Shape& right) {
    return TensorDelta<float>::product(Tensor<float>::zeros(left), Tensor<float>::zeros(right));
  };
  CHECK_THROWS_WITH_AS(
      product({2, 3}, {3, 2}),
      "tapestry::TensorDelta::product: the factors do not fit, got [2, 3] and [3, 2], expected [K, M] "
      "and [K, N]",
      ShapeError);
  CHECK_THROWS_AS(product({2}, {2, 2}), ShapeError);
  CHECK_THROWS_AS(product({2, 2}, {1, 2, 2}), ShapeError);
}

TEST_CASE("only deltas of one shape add up, and a refused one changes nothing") {
  TensorDelta<float> sum(Tensor<float>::full({2, 2}, 1));
  CHECK_THROWS_WITH_AS(
      sum.add(TensorDelta<float>(Tensor<float>::zeros({2}))),
      "tapestry::TensorDelta::add: the shapes differ, got [2, 2] and [2], expected equal shapes", ShapeError);
  CHECK_THROWS_AS(
      sum.add(TensorDelta<float>::product(Tensor<float>::zeros({1, 2}), Tensor<float>::zeros({1, 3}))),
      ShapeError);
  CHECK(sum.dense() == Tensor<float>::full({2, 2}, 1));
}
