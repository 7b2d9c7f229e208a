#include <tapestry/tensor/kernels/power.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("power is computed for each element, and broadcasts", T, float, double) {
  const Tensor<T> column({2, 1}, {2, 3});
  const Tensor<T> row({3}, {0, 2, -1});
  CHECK(kernels::power(column, row) == Tensor<T>({2, 3}, {1, 4, T(0.5), 1, 9, 1 / T(3)}));
  CHECK(kernels::power(Tensor<T>({2}, {-2, 4}), 3) == Tensor<T>({2}, {-8, 64}));
  CHECK(kernels::power(Tensor<T>({2}, {4, 9}), T(0.5)) == Tensor<T>({2}, {2, 3}));
  CHECK(kernels::power(2, Tensor<T>({3}, {0, 1, 10})) == Tensor<T>({3}, {1, 2, 1024}));
  CHECK(kernels::power(T{2}, T{-2}) == T(0.25));
  Random random(9);
  const auto a = random.tensor<T>({5, 7}, 0.1, 3);
  const auto b = random.tensor<T>({7});
  const auto c = kernels::power(a, b);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(c.data()[i] == std::pow(a.data()[i], b.data()[i % 7]));
}

TEST_CASE("a number to the power 0 is 1, and a power without a real value or with a NaN operand is NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(kernels::power(0.0, 0.0) == 1);
  CHECK(kernels::power(-3.0, 0.0) == 1);
  CHECK(kernels::power(0.0, -1.0) == infinity);
  for (const auto& [a, b] :
       {std::pair(-2.0, 0.5), {nan, 0.0}, {1.0, nan}, {nan, 1.0}, {nan, 2.0}, {nan, nan}}) {
    CHECK(std::isnan(kernels::power(a, b)));
    CHECK(std::isnan(kernels::power(Tensor<double>({1}, {a}), b)(0)));
    CHECK(std::isnan(kernels::power(a, Tensor<double>({1}, {b}))(0)));
  }
}

TEST_CASE("the derivatives of power equal the formula") {
  CHECK(kernels::powerDerivativeLeft(2.0, 3.0, 2.0) == 12);
  CHECK(kernels::powerDerivativeLeft(2.0, -3.0, 3.0) == 54);
  CHECK(kernels::powerDerivativeLeft(1.0, 4.0, -0.5) == -0.0625);
  CHECK(kernels::powerDerivativeRight(2.0, 3.0, 2.0) == doctest::Approx(18 * std::log(3.0)).epsilon(1e-15));
  CHECK(kernels::powerDerivativeRight(2.0, 1.0, 5.0) == 0);
}

TEST_CASE("the derivatives of power at the edges of its domain") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(kernels::powerDerivativeLeft(1.0, 0.0, 0.0) == 0);
  CHECK(kernels::powerDerivativeLeft(1.0, -2.0, 0.0) == 0);
  CHECK(kernels::powerDerivativeLeft(1.0, 0.0, 1.0) == 1);
  CHECK(kernels::powerDerivativeLeft(1.0, 0.0, 0.5) == infinity);
  CHECK(std::isnan(kernels::powerDerivativeLeft(1.0, nan, 0.0)));
  CHECK(kernels::powerDerivativeRight(1.0, 0.0, 2.0) == 0);
  CHECK(kernels::powerDerivativeRight(1.0, 0.0, 0.0) == 0);
  CHECK(kernels::powerDerivativeRight(1.0, infinity, -1.0) == 0);
  CHECK(std::isnan(kernels::powerDerivativeRight(1.0, -2.0, 2.0)));
  CHECK(std::isnan(kernels::powerDerivativeRight(1.0, nan, 2.0)));
}

TEST_CASE_TEMPLATE("the derivatives of power broadcast as power does", T, float, double) {
  onEachInstructionSet([] {
    Random random(10);
    for (int round = 0; round < 30; ++round) {
      const Shape shape = random.shape();
      const auto a = random.tensor<T>(random.stretching(shape), 0.5, 2);
      const auto b = random.tensor<T>(random.stretching(shape));
      const Shape whole = kernels::power(a, b).shape();
      const auto delta = random.tensor<T>(whole);
      const auto left = kernels::powerDerivativeLeft(delta, a, b);
      const auto right = kernels::powerDerivativeRight(delta, a, b);
      REQUIRE(left.shape() == whole);
      REQUIRE(right.shape() == whole);
      for (std::size_t i = 0; i < delta.size(); ++i) {
        const T x = a.data()[broadcastIndex(i, whole, a.shape())];
        const T y = b.data()[broadcastIndex(i, whole, b.shape())];
        CHECK(isNear(left.data()[i], kernels::powerDerivativeLeft(delta.data()[i], x, y), 10));
        CHECK(isNear(right.data()[i], kernels::powerDerivativeRight(delta.data()[i], x, y), 10));
      }
    }
  });
}

TEST_CASE("shapes that do not fit power are refused") {
  const auto a = Tensor<float>::zeros({2, 3});
  const auto b = Tensor<float>::zeros({2});
  CHECK_THROWS_WITH_AS(
      kernels::power(a, b),
      "tapestry::pow: shapes do not broadcast, got [2, 3] and [2], expected extents that are "
      "equal or 1, aligned at the last axis",
      ShapeError);
  CHECK_THROWS_WITH_AS(kernels::powerDerivativeLeft(b, a, a),
                       "tapestry::powerDerivative: the shapes differ, got [2], expected [2, 3]", ShapeError);
}

TEST_CASE("the only handle lends its buffer to power and to its derivative") {
  auto a = Tensor<float>::full({4}, 2);
  const float* const buffer = a.data();
  const auto c = kernels::power(std::move(a), 3);
  CHECK(c.data() == buffer);
  auto delta = Tensor<float>::full({4}, 1);
  const float* const other = delta.data();
  CHECK(kernels::powerDerivativeLeft(std::move(delta), c, c).data() == other);
}
