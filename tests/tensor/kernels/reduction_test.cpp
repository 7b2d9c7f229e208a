#include <tapestry/tensor/kernels/reduction.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

// Every choice of axes is one of these, for shapes up to rank 3.
const std::vector<Axes> choices{{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}, {-1}, {-1, 0}};

Shape keptShape(const Shape& shape, const Axes& axes, bool keepDims) {
  const auto summed = axes.resolve(shape, "test");
  std::vector<std::size_t> extents;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (!summed[i]) extents.push_back(shape[i]);
    if (summed[i] && keepDims) extents.push_back(1);
  }
  return Shape(extents);
}

template <class T>
void checkSum(const Tensor<T>& x, const Axes& axes) {
  const Shape kept = keptShape(x.shape(), axes, true);
  const auto y = kernels::sum(x, axes, true);
  REQUIRE(y.shape() == kept);
  std::vector<long double> sums(kept.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    sums[broadcastIndex(i, x.shape(), kept)] += static_cast<long double>(x.data()[i]);
  for (std::size_t i = 0; i < sums.size(); ++i)
    CHECK(isNear(y.data()[i], static_cast<double>(sums[i]), 2 * std::sqrt(x.size() + 1.0)));

  const auto flat = kernels::sum(x, axes);
  CHECK(flat.shape() == keptShape(x.shape(), axes, false));
  CHECK(flat == y.reshape(flat.shape()));

  const auto mean = kernels::mean(x, axes, true);
  REQUIRE(mean.shape() == kept);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const T count = static_cast<T>(x.size()) / static_cast<T>(kept.size());
    if (x.size() != 0) CHECK(isNear(mean.data()[i], static_cast<double>(y.data()[i] / count), 2));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("sums over any axes of tensors of random shapes", T, float, double) {
  onEachInstructionSet([] {
    Random random(8);
    for (int round = 0; round < 40; ++round) {
      const Shape shape{random.below(8) == 0 ? 0 : 1 + random.below(90), 1 + random.below(5),
                        1 + random.below(40)};
      const auto x = random.tensor<T>(shape);
      for (const Axes& axes : choices) checkSum(x, axes);
    }
  });
}

TEST_CASE_TEMPLATE("summed and kept axes may alternate", T, float, double) {
  Random random(9);
  const auto x = random.tensor<T>({3, 4, 2, 5, 3});
  for (const Axes& axes : {Axes{0, 2, 4}, Axes{1, 3}, Axes{0, 1, 3, 4}, Axes{2}, Axes{0, 4}})
    checkSum(x, axes);
}

TEST_CASE_TEMPLATE("the sum and the mean of all, of any size", T, float, double) {
  onEachInstructionSet([] {
    Random random(10);
    for (std::size_t size = 0; size < 300; ++size) {
      const auto x = random.tensor<T>({size});
      double expected = 0;
      for (const T value : x.values()) expected += static_cast<double>(value);
      CHECK(isNear(kernels::sum(x), expected, 2 * std::sqrt(size + 1.0)));
    }
  });
  CHECK(kernels::sum(Tensor<T>({2, 2}, {1, 2, 3, 4})) == 10);
  CHECK(kernels::mean(Tensor<T>({2, 2}, {1, 2, 3, 4})) == 2.5);
  CHECK(kernels::sum(T{3}) == 3);
  CHECK(kernels::mean(T{3}) == 3);
}

TEST_CASE("a sum of millions of floats keeps their precision") {
  onEachInstructionSet([] {
    const std::size_t size = 5'000'001;
    CHECK(kernels::sum(Tensor<float>::full({size}, 0.1F)) ==
          doctest::Approx(0.1F * 5'000'001.0).epsilon(2e-6));
    const auto columns = kernels::sum(Tensor<float>::full({1'000'003, 3}, 0.1F), {0});
    CHECK(columns(1) == doctest::Approx(0.1F * 1'000'003.0).epsilon(2e-6));
  });
}

TEST_CASE("the sum of nothing is zero, its mean NaN") {
  CHECK(kernels::sum(Tensor<float>::zeros({0})) == 0);
  CHECK(std::isnan(kernels::mean(Tensor<float>::zeros({0}))));
  CHECK(kernels::sum(Tensor<float>::zeros({2, 0}), {1}) == Tensor<float>::zeros({2}));
  CHECK(std::isnan(kernels::mean(Tensor<float>::zeros({2, 0}), {1})(1)));
}

TEST_CASE_TEMPLATE("softmax and logSoftmax keep their precision far from zero, along any axes", T, float,
                   double) {
  const T far = 1e4;
  const T half = std::log(T(2));
  const Tensor<T> x({2, 2}, {far, far, far, -far});
  CHECK(kernels::softmax(x, {1}) == Tensor<T>({2, 2}, {0.5, 0.5, 1, 0}));
  CHECK(kernels::softmax(x, {0}) == Tensor<T>({2, 2}, {0.5, 1, 0.5, 0}));
  CHECK(kernels::softmax(Tensor<T>::full({2, 2}, far), {0, 1}) == Tensor<T>::full({2, 2}, 0.25));
  const auto logarithms = kernels::logSoftmax(x, {1});
  CHECK(isClose(logarithms(0, 0), -half, 2));
  CHECK(isClose(logarithms(0, 1), -half, 2));
  CHECK(logarithms(1, 0) == 0);
  CHECK(logarithms(1, 1) == -2 * far);
  CHECK(kernels::softmax(Tensor<T>::zeros({2, 0}), {1}).shape() == Shape{2, 0});
  CHECK(kernels::logSoftmax(Tensor<T>::zeros({0, 2}), {0}).shape() == Shape{0, 2});
}

TEST_CASE_TEMPLATE("the largest elements share the delta of max equally", T, float, double) {
  const Tensor<T> x({2, 3}, {1, 5, 5, 7, 0, 2});
  const Tensor<T> expected({2, 3}, {0, 2, 2, 6, 0, 0});
  CHECK(kernels::maxDerivative(Tensor<T>({2}, {4, 6}), x, {1}) == expected);
  CHECK(kernels::maxDerivative(Tensor<T>({2, 1}, {4, 6}), x, {1}) == expected);
}

TEST_CASE("more largest elements than a float can count share the delta equally") {
  constexpr std::size_t n = (std::size_t{1} << 24) + (std::size_t{1} << 20);
  const auto dx = kernels::maxDerivative(Tensor<float>::scalar(n), Tensor<float>::zeros({n}), {0});
  CHECK(dx(0) == 1);
  CHECK(dx(n - 1) == 1);
}

TEST_CASE("the derivative of max refuses a delta of another size") {
  const auto x = Tensor<float>::zeros({2, 3});
  CHECK_THROWS_WITH_AS(kernels::maxDerivative(Tensor<float>::zeros({3}), x, {1}),
                       "tapestry::max: the delta has another size, got [3], expected [2, 1]", ShapeError);
  CHECK_THROWS_AS(kernels::maxDerivative(Tensor<float>::scalar(1), x, {1}), ShapeError);
  CHECK_THROWS_AS(kernels::maxDerivative(Tensor<float>::zeros({2}), Tensor<float>::zeros({0, 3}), {1}),
                  ShapeError);
}

TEST_CASE("an axis that the tensor lacks is refused") {
  CHECK_THROWS_WITH_AS(
      kernels::sum(Tensor<float>::zeros({2}), {1}),
      "tapestry::sum: axis out of range, got axis 1 of [2], expected different axes in -1 .. 0", ShapeError);
  CHECK_THROWS_AS(kernels::mean(Tensor<float>::zeros({2}), {0, 0}), ShapeError);
}
