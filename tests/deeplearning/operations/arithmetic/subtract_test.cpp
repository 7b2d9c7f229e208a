#include <tapestry/deeplearning/operations/arithmetic/subtract.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto subtractOf = [](const auto& x, const auto& y) { return x - y; };

static_assert(hasBinaryTypes<decltype(subtractOf)>());

}  // namespace

TEST_CASE("subtraction works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(subtractOf(DoubleLayer(6), 4.0)) == 2);
  CHECK(subtractOf(x, row) == Tensor<double>({2, 2}, {-1, -2, 1, 0}));
  CHECK(valueOf(subtractOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {-1, -2, 1, 0}));
  CHECK(valueOf(subtractOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {-1, 0, 1, 2}));
  CHECK(valueOf(subtractOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {1, 0, -1, -2}));
}

TEST_CASE("the gradients of subtraction are the central differences") {
  checkBinary<double, double>(subtractOf);
  checkBinary<Tensor<double>, Tensor<double>>(subtractOf);
}

TEST_CASE("the gradients of subtraction are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(subtractOf);
  checkBinary<Tensor<double>, double>(subtractOf);
}

TEST_CASE("the gradients of subtraction are the central differences in single precision") {
  checkBinary<float, double>(subtractOf);
  checkBinary<Tensor<float>, Tensor<float>>(subtractOf);
  checkBinary<double, Tensor<float>>(subtractOf);
}

TEST_CASE("the gradient of subtraction adds up where both operands are one") {
  checkGradients([](const auto& x) { return subtractOf(x, x); }, 1.25);
  checkGradients([](const auto& x) { return subtractOf(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("shapes that do not broadcast are refused by subtract, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::subtract: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or "
      "1, aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(subtractOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(subtractOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(subtractOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(subtractOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}
