#include <tapestry/deeplearning/operations/product/dot.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr auto dotOf = [](const auto& x, const auto& y) { return dot(x, y); };

static_assert(std::same_as<decltype(dotOf(TensorWeight({}), Tensor<float>())), FloatLayer>);

}  // namespace

TEST_CASE("dot is the sum of the products of two vectors' elements") {
  const Tensor<float> x({3}, {1, 2, 3});
  CHECK(dot(x, Tensor<float>({3}, {4, -5, 6})) == 12);
  CHECK(valueOf(dot(TensorWeight(x), x)) == 14);
  CHECK(dot(Tensor<double>::zeros({0}), Tensor<double>::zeros({0})) == 0);
}

TEST_CASE("the gradients of dot are the central differences") {
  Random random(17);
  for (const std::size_t size : {0U, 1U, 5U}) {
    checkKinds<double>(dotOf, random.tensor<double>({size}), random.tensor<double>({size}));
    checkKinds<float>(dotOf, random.tensor<float>({size}), random.tensor<float>({size}));
  }
  checkGradients([](const auto& x) { return dot(x, x); }, random.tensor<double>({3}));
}

TEST_CASE("dot refuses all but two vectors of one size, as soon as the shapes are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2}));
  const auto refused = [&](const Shape& shape, const std::string& text) {
    const auto y = Tensor<double>::zeros(shape);
    const std::string message =
        "tapestry::dot: not two vectors of one size, got [2] and " + text + ", expected [N] and [N]";
    CHECK(errorOf([&] { return dot(x, y); }) == message);
    CHECK(errorOf([&] { dot(x.data(), y); }) == message);
    CHECK(evaluationError(dot(lateLayer(x), y)) == message);
  };
  refused({3}, "[3]");
  refused({2, 1}, "[2, 1]");
  refused({}, "[]");
}

TEST_CASE("the gradients of dot are the central differences, for any size") {
  checkDraws([](Random& random) {
    const Shape shape{random.below(9)};
    return DrawnOperation{[](const Operands& of) { return dot(of[0], of[1]); },
                          {random.tensor<double>(shape), random.tensor<double>(shape)}};
  });
}
