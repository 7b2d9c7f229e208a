#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto multiplyOf = [](const auto& x, const auto& y) { return x * y; };

static_assert(hasBinaryTypes<decltype(multiplyOf)>());

}  // namespace

TEST_CASE("multiplication works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(multiplyOf(DoubleLayer(6), 4.0)) == 24);
  CHECK(multiplyOf(x, row) == Tensor<double>({2, 2}, {2, 8, 6, 16}));
  CHECK(valueOf(multiplyOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {2, 8, 6, 16}));
  CHECK(valueOf(multiplyOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {2, 4, 6, 8}));
  CHECK(valueOf(multiplyOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {2, 4, 6, 8}));
}

TEST_CASE("the gradients of multiplication are the central differences") {
  checkBinary<double, double>(multiplyOf);
  checkBinary<Tensor<double>, Tensor<double>>(multiplyOf);
}

TEST_CASE("the gradients of multiplication are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(multiplyOf);
  checkBinary<Tensor<double>, double>(multiplyOf);
}

TEST_CASE("the gradients of multiplication are the central differences in single precision") {
  checkBinary<float, double>(multiplyOf);
  checkBinary<Tensor<float>, Tensor<float>>(multiplyOf);
  checkBinary<double, Tensor<float>>(multiplyOf);
}

TEST_CASE("the gradient of multiplication adds up where both operands are one") {
  checkGradients([](const auto& x) { return multiplyOf(x, x); }, 1.25);
  checkGradients([](const auto& x) { return multiplyOf(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("shapes that do not broadcast are refused by multiply, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::multiply: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or "
      "1, aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(multiplyOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(multiplyOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(multiplyOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(multiplyOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}
