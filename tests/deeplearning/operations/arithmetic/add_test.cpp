#include <tapestry/deeplearning/operations/arithmetic/add.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto addOf = [](const auto& x, const auto& y) { return x + y; };

static_assert(hasBinaryTypes<decltype(addOf)>());

}  // namespace

TEST_CASE("addition works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(addOf(DoubleLayer(6), 4.0)) == 10);
  CHECK(addOf(x, row) == Tensor<double>({2, 2}, {3, 6, 5, 8}));
  CHECK(valueOf(addOf(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {3, 6, 5, 8}));
  CHECK(valueOf(addOf(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {3, 4, 5, 6}));
  CHECK(valueOf(addOf(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {3, 4, 5, 6}));
}

TEST_CASE("the gradients of addition are the central differences") {
  checkBinary<double, double>(addOf);
  checkBinary<Tensor<double>, Tensor<double>>(addOf);
}

TEST_CASE("the gradients of addition are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(addOf);
  checkBinary<Tensor<double>, double>(addOf);
}

TEST_CASE("the gradients of addition are the central differences in single precision") {
  checkBinary<float, double>(addOf);
  checkBinary<Tensor<float>, Tensor<float>>(addOf);
  checkBinary<double, Tensor<float>>(addOf);
}

TEST_CASE("the gradient of addition adds up where both operands are one") {
  checkGradients([](const auto& x) { return addOf(x, x); }, 1.25);
  checkGradients([](const auto& x) { return addOf(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("shapes that do not broadcast are refused by add, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::add: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(addOf(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(addOf(x.data(), y), message, ShapeError);
  CHECK(evaluationError(addOf(lateLayer(x), y)) == message);
  CHECK(evaluationError(addOf(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}
