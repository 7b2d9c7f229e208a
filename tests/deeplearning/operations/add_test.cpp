#include <tapestry/deeplearning/operations/add.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto apply = [](const auto& x, const auto& y) { return x + y; };

template <class A, class B>
using Result = decltype(apply(std::declval<A>(), std::declval<B>()));

static_assert(std::same_as<Result<Tensor<double>, Tensor<double>>, Tensor<double>>);
static_assert(std::same_as<Result<double, Tensor<float>>, Tensor<float>>);
static_assert(std::same_as<Result<Tensor<float>, double>, Tensor<float>>);
static_assert(std::same_as<Result<double, DoubleWeight>, DoubleLayer>);
static_assert(std::same_as<Result<tapestry::FloatWeight, double>, DoubleLayer>);
static_assert(std::same_as<Result<DoubleWeight, tapestry::TensorLayer>, tapestry::TensorLayer>);
static_assert(std::same_as<Result<tapestry::TensorWeight, float>, tapestry::TensorLayer>);

}  // namespace

TEST_CASE("addition works on scalars, tensors and both") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, {2, 4});
  CHECK(valueOf(apply(DoubleLayer(6), 4.0)) == 10);
  CHECK(apply(x, row) == Tensor<double>({2, 2}, {3, 6, 5, 8}));
  CHECK(valueOf(apply(DoubleTensorLayer(x), row)) == Tensor<double>({2, 2}, {3, 6, 5, 8}));
  CHECK(valueOf(apply(x, DoubleLayer(2))) == Tensor<double>({2, 2}, {3, 4, 5, 6}));
  CHECK(valueOf(apply(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {3, 4, 5, 6}));
}

TEST_CASE("the gradients of addition are the central differences") {
  checkBinary<double, double>(apply);
  checkBinary<Tensor<double>, Tensor<double>>(apply);
}

TEST_CASE("the gradients of addition are the central differences where a scalar meets a tensor") {
  checkBinary<double, Tensor<double>>(apply);
  checkBinary<Tensor<double>, double>(apply);
}

TEST_CASE("the gradients of addition are the central differences in single precision") {
  checkBinary<float, double>(apply);
  checkBinary<Tensor<float>, Tensor<float>>(apply);
  checkBinary<double, Tensor<float>>(apply);
}

TEST_CASE("the gradient of addition adds up where both operands are one") {
  checkGradients([](const auto& x) { return apply(x, x); }, 1.25);
  checkGradients([](const auto& x) { return apply(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("shapes that do not broadcast are refused by add, as soon as they are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const char* const message =
      "tapestry::add: shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, "
      "aligned at "
      "the last axis";
  CHECK_THROWS_WITH_AS(apply(x, y), message, ShapeError);
  CHECK_THROWS_WITH_AS(apply(x.data(), y), message, ShapeError);
  CHECK(evaluationError(apply(lateLayer(x), y)) == message);
  CHECK(evaluationError(apply(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}
