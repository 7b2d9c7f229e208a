#include <tapestry/deeplearning/operations/relu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::relu(1.0)), double>);
static_assert(std::same_as<decltype(tapestry::relu(1.0F)), float>);
static_assert(std::same_as<decltype(tapestry::relu(Tensor<float>())), Tensor<float>>);
static_assert(std::same_as<decltype(tapestry::relu(FloatWeight(1))), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(tapestry::relu(TensorWeight({}))), tapestry::TensorLayer>);

namespace {

constexpr auto reluOf = [](const auto& x) { return tapestry::relu(x); };

}  // namespace

TEST_CASE("relu keeps what is positive, and makes the rest zero") {
  CHECK(tapestry::relu(-2.0) == 0);
  CHECK(valueOf(tapestry::relu(DoubleLayer(2))) == 2);
  const Tensor<double> x({2, 2}, {-1, 0, 2, -3});
  CHECK(valueOf(tapestry::relu(DoubleTensorLayer(x))) == Tensor<double>({2, 2}, {0, 0, 2, 0}));
}

TEST_CASE("the gradients of relu are the central differences") {
  checkUnary<double>(reluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<double>>(reluOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("the gradients of relu are the central differences in single precision") {
  checkUnary<float>(reluOf, {.low = 0.1, .mirrored = true});
  checkUnary<Tensor<float>>(reluOf, {.low = 0.1, .mirrored = true});
}

TEST_CASE("no delta passes relu at zero") {
  const tapestry::DoubleTensorWeight w(Tensor<double>({3}, {-1, 0, 1}));
  CHECK(gradients(relu(w)).blockingAwait().of(w) == Tensor<double>({3}, {0, 0, 1}));
}
