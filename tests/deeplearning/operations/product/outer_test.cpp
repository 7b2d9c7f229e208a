#include <tapestry/deeplearning/operations/product/outer.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr auto outerOf = [](const auto& x, const auto& y) { return outer(x, y); };

}  // namespace

TEST_CASE("outer is the matrix of all products of two vectors' elements") {
  const Tensor<float> x({2}, {1, 2});
  const Tensor<float> y({3}, {3, 4, 5});
  CHECK(outer(x, y) == Tensor<float>({2, 3}, {3, 4, 5, 6, 8, 10}));
  CHECK(valueOf(outer(y, TensorWeight(x))) == Tensor<float>({3, 2}, {3, 6, 4, 8, 5, 10}));
}

TEST_CASE("the gradients of outer are the central differences") {
  Random random(18);
  for (const auto& [m, n] : {std::pair{2U, 3U}, {1U, 4U}, {3U, 1U}, {0U, 2U}, {2U, 0U}}) {
    checkKinds<double>(outerOf, random.tensor<double>({m}), random.tensor<double>({n}));
    checkKinds<float>(outerOf, random.tensor<float>({m}), random.tensor<float>({n}));
  }
  checkGradients([](const auto& x) { return outer(x, x); }, random.tensor<double>({3}));
}

TEST_CASE("outer refuses all but vectors, as soon as the shapes are known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 2}));
  const auto y = Tensor<double>::zeros({2});
  const char* const message = "tapestry::outer: not two vectors, got [2, 2] and [2], expected [M] and [N]";
  CHECK(errorOf([&] { return outer(x, y); }) == message);
  CHECK(errorOf([&] { outer(x.data(), y); }) == message);
  CHECK(evaluationError(outer(lateLayer(x), y)) == message);
}

TEST_CASE("the gradients of outer are the central differences, for any sizes") {
  checkDraws([](Random& random) {
    return DrawnOperation{
        [](const Operands& of) { return outer(of[0], of[1]); },
        {random.tensor<double>({random.below(6)}), random.tensor<double>({random.below(6)})}};
  });
}
