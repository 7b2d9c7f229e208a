#include <tapestry/tensor/kernels/arithmetic.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

template <class T, class F>
void checkBinary(const F& function, const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<T> c = function(a, b);
  const Shape shape = tapestry::broadcast(a.shape(), b.shape(), "test");
  REQUIRE(c.shape() == shape);
  for (std::size_t i = 0; i < c.size(); ++i)
    CHECK(c.data()[i] == function(a.data()[broadcastIndex(i, shape, a.shape())],
                                  b.data()[broadcastIndex(i, shape, b.shape())]));
}

constexpr auto add = [](auto&& a, auto&& b) { return kernels::add(a, b); };
constexpr auto subtract = [](auto&& a, auto&& b) { return kernels::subtract(a, b); };
constexpr auto multiply = [](auto&& a, auto&& b) { return kernels::multiply(a, b); };
constexpr auto divide = [](auto&& a, auto&& b) { return kernels::divide(a, b); };
constexpr auto maximum = [](auto&& a, auto&& b) { return kernels::maximum(a, b); };
constexpr auto minimum = [](auto&& a, auto&& b) { return kernels::minimum(a, b); };
constexpr auto where = [](auto&& a, auto&& b) { return kernels::where(a, b); };
constexpr auto unless = [](auto&& a, auto&& b) { return kernels::unless(a, b); };

template <class T>
void checkAll(const Tensor<T>& a, const Tensor<T>& b) {
  CAPTURE(toString(a.shape()));
  CAPTURE(toString(b.shape()));
  checkBinary(add, a, b);
  checkBinary(subtract, a, b);
  checkBinary(multiply, a, b);
  checkBinary(divide, a, b);
  checkBinary(maximum, a, b);
  checkBinary(minimum, a, b);
  checkBinary(where, a, b);
  checkBinary(unless, a, b);
}

}  // namespace

TEST_CASE_TEMPLATE("tensors of random shapes broadcast on either side and on both", T, float, double) {
  onEachInstructionSet([] {
    Random random(2);
    for (int round = 0; round < 150; ++round) {
      const Shape shape = random.shape();
      checkAll(random.tensor<T>(shape), random.tensor<T>(random.stretching(shape)));
      checkAll(random.tensor<T>(random.stretching(shape)), random.tensor<T>(shape));
      const Shape left = random.stretching(shape);
      const Shape right = random.stretching(shape);
      checkAll(random.tensor<T>(left), random.tensor<T>(right));
    }
  });
}

TEST_CASE_TEMPLATE("rows, columns and scalars broadcast over a matrix of any width", T, float, double) {
  onEachInstructionSet([] {
    Random random(3);
    for (std::size_t width = 0; width < 40; ++width) {
      const auto matrix = random.tensor<T>({5, width});
      for (const Shape& other : {Shape{width}, Shape{5, 1}, Shape{}, Shape{1, 1}, Shape{5, width}}) {
        checkAll(matrix, random.tensor<T>(other));
        checkAll(random.tensor<T>(other), matrix);
      }
    }
  });
}

TEST_CASE_TEMPLATE("a plain number may be either operand beside a tensor", T, float, double) {
  const Tensor<T> x({3}, {1, 2, 4});
  CHECK(kernels::add(x, 2) == Tensor<T>({3}, {3, 4, 6}));
  CHECK(kernels::add(2, x) == Tensor<T>({3}, {3, 4, 6}));
  CHECK(kernels::subtract(x, 2) == Tensor<T>({3}, {-1, 0, 2}));
  CHECK(kernels::subtract(2, x) == Tensor<T>({3}, {1, 0, -2}));
  CHECK(kernels::multiply(x, 3) == Tensor<T>({3}, {3, 6, 12}));
  CHECK(kernels::multiply(3, x) == Tensor<T>({3}, {3, 6, 12}));
  CHECK(kernels::divide(x, 2) == Tensor<T>({3}, {0.5, 1, 2}));
  CHECK(kernels::divide(2, x) == Tensor<T>({3}, {2, 1, 0.5}));
  CHECK(kernels::maximum(x, 2) == Tensor<T>({3}, {2, 2, 4}));
  CHECK(kernels::maximum(2, x) == Tensor<T>({3}, {2, 2, 4}));
  CHECK(kernels::minimum(x, 2) == Tensor<T>({3}, {1, 2, 2}));
  CHECK(kernels::minimum(2, x) == Tensor<T>({3}, {1, 2, 2}));
  CHECK(kernels::scale(x, T{3}) == Tensor<T>({3}, {3, 6, 12}));
  CHECK(kernels::scale(T{2}, T{3}) == 6);
}

TEST_CASE_TEMPLATE("the maximum and the minimum of NaN and anything are NaN, on either side", T, float,
                   double) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto check = [&](const auto& function) {
    CHECK(std::isnan(function(nan, T{1})));
    CHECK(std::isnan(function(T{1}, nan)));
    onEachInstructionSet([&] {
      const auto both = function(Tensor<T>({2}, {nan, 1}), Tensor<T>({2}, {1, nan}));
      CHECK(std::isnan(both(0)));
      CHECK(std::isnan(both(1)));
      CHECK(std::isnan(function(Tensor<T>({1}, {nan}), 1)(0)));
      CHECK(std::isnan(function(1, Tensor<T>({1}, {nan}))(0)));
    });
  };
  check(maximum);
  check(minimum);
}

TEST_CASE_TEMPLATE("where and unless choose complementary elements, even if the other elements are NaN", T,
                   float, double) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  onEachInstructionSet([&] {
    const Tensor<T> condition({5}, {0, 1, T(-0.0), -2, nan});
    CHECK(kernels::where(condition, Tensor<T>({5}, {nan, 2, nan, 4, 5})) == Tensor<T>({5}, {0, 2, 0, 4, 5}));
    CHECK(kernels::unless(condition, Tensor<T>({5}, {1, nan, 3, nan, nan})) ==
          Tensor<T>({5}, {1, 0, 3, 0, 0}));
    CHECK(kernels::where(condition, 7) == Tensor<T>({5}, {0, 7, 0, 7, 7}));
    CHECK(kernels::unless(condition, 7) == Tensor<T>({5}, {7, 0, 7, 0, 0}));
    CHECK(kernels::where(1, Tensor<T>({2}, {1, 2})) == Tensor<T>({2}, {1, 2}));
    CHECK(kernels::unless(1, Tensor<T>({2}, {1, nan})) == Tensor<T>::zeros({2}));
  });
  CHECK(kernels::where(T{0}, nan) == 0);
  CHECK(kernels::unless(T{2}, nan) == 0);
}

TEST_CASE("shapes that do not broadcast are named together with the function") {
  const auto a = Tensor<float>::zeros({2, 3});
  const auto b = Tensor<float>::zeros({2});
  CHECK_THROWS_WITH_AS(
      kernels::multiply(a, b),
      "tapestry::multiply: shapes do not broadcast, got [2, 3] and [2], expected extents that are "
      "equal or 1, aligned at the last axis",
      ShapeError);
  CHECK_THROWS_AS(kernels::maximum(b, a), ShapeError);
}

TEST_CASE("the only handle of the first operand lends its buffer, if the shape fits") {
  auto a = Tensor<float>::full({2, 2}, 1);
  const auto b = Tensor<float>({2}, {1, 2});
  const float* const buffer = a.data();
  const auto c = kernels::add(std::move(a), b);
  CHECK(c.data() == buffer);
  CHECK(c == Tensor<float>({2, 2}, {2, 3, 2, 3}));

  const auto d = kernels::add(c, c);
  CHECK(c == Tensor<float>({2, 2}, {2, 3, 2, 3}));
  CHECK(d == Tensor<float>({2, 2}, {4, 6, 4, 6}));

  const auto e = kernels::add(Tensor<float>({2}, {1, 2}), c);
  CHECK(e == Tensor<float>({2, 2}, {3, 5, 3, 5}));
}

TEST_CASE("addInto accumulates in place if the accumulator is unique, else in a copy") {
  auto sum = Tensor<float>({3}, {1, 2, 3});
  const float* const buffer = sum.data();
  const auto x = Tensor<float>({3}, {10, 20, 30});
  kernels::addInto(sum, x);
  CHECK(sum.data() == buffer);
  CHECK(sum == Tensor<float>({3}, {11, 22, 33}));

  const auto shared = sum;
  kernels::addInto(sum, x);
  CHECK(shared == Tensor<float>({3}, {11, 22, 33}));
  CHECK(sum == Tensor<float>({3}, {21, 42, 63}));
  kernels::addInto(sum, sum);
  CHECK(sum == Tensor<float>({3}, {42, 84, 126}));

  double scalar = 1;
  kernels::addInto(scalar, 2.0);
  CHECK(scalar == 3);
}

TEST_CASE("addInto refuses another shape and leaves the accumulator as it was") {
  auto sum = Tensor<float>({2}, {1, 2});
  CHECK_THROWS_WITH_AS(kernels::addInto(sum, Tensor<float>::zeros({1})),
                       "tapestry::addInto: the shapes differ, got [1], expected [2]", ShapeError);
  CHECK(sum == Tensor<float>({2}, {1, 2}));
}
