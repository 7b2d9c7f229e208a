#include <tapestry/deeplearning/operations/negate.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::FloatWeight;
using tapestry::Tensor;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(-Tensor<float>()), Tensor<float>>);
static_assert(std::same_as<decltype(-FloatWeight(1)), tapestry::FloatLayer>);
static_assert(std::same_as<decltype(-TensorWeight({})), tapestry::TensorLayer>);

namespace {

constexpr auto negateOf = [](const auto& x) { return -x; };

}  // namespace

TEST_CASE("negate changes the sign") {
  CHECK(valueOf(-DoubleLayer(3)) == -3);
  CHECK(-Tensor<double>({2}, {1, -2}) == Tensor<double>({2}, {-1, 2}));
  CHECK(valueOf(-DoubleTensorLayer(Tensor<double>({2}, {1, -2}))) == Tensor<double>({2}, {-1, 2}));
}

TEST_CASE("the gradients of negate are the central differences") {
  checkUnary<double>(negateOf);
  checkUnary<Tensor<double>>(negateOf);
}

TEST_CASE("the gradients of negate are the central differences in single precision") {
  checkUnary<float>(negateOf);
  checkUnary<Tensor<float>>(negateOf);
}
