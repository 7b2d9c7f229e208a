#include <tapestry/deeplearning/operations/matmul.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

constexpr auto matmulOf = [](const auto& x, const auto& y) { return tapestry::matmul(x, y); };

static_assert(std::same_as<decltype(matmulOf(Tensor<double>(), Tensor<double>())), Tensor<double>>);
static_assert(
    std::same_as<decltype(matmulOf(tapestry::TensorWeight({}), Tensor<float>())), tapestry::TensorLayer>);

/// Shapes of operands that fit.
struct Fit {
  Shape x;
  Shape y;
};

const std::vector<Fit> fits{
    {{3}, {3}},
    {{3}, {3, 2}},
    {{2, 3}, {3}},
    {{2, 3}, {3, 4}},
    {{1, 3}, {3, 1}},
    {{1, 1}, {1, 1}},
    {{2, 2, 3}, {3}},
    {{3}, {2, 3, 2}},
    {{2, 2, 3}, {3, 2}},
    {{2, 3}, {2, 3, 2}},
    {{2, 2, 3}, {2, 3, 2}},
    {{2, 1, 2, 3}, {3, 3, 2}},
    {{1, 2, 3}, {2, 3, 1}},
    {{0, 3}, {3, 2}},
    {{2, 0}, {0, 3}},
    {{2, 3}, {3, 0}},
    {{0}, {0}},
    {{0, 2, 3}, {3, 2}},
};

}  // namespace

TEST_CASE("matmul multiplies vectors and matrices") {
  const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor<double> y({3, 2}, {1, 0, 2, 1, 0, 3});
  const Tensor<double> product({2, 2}, {5, 11, 14, 23});
  CHECK(matmulOf(x, y) == product);
  CHECK(valueOf(matmulOf(DoubleTensorLayer(x), y)) == product);
  CHECK(valueOf(matmulOf(x, DoubleTensorWeight(y))) == product);
  const Tensor<double> vector({3}, {1, 2, 3});
  CHECK(valueOf(matmulOf(DoubleTensorLayer(vector), y)) == Tensor<double>({2}, {5, 11}));
  CHECK(valueOf(matmulOf(DoubleTensorLayer(x), vector)) == Tensor<double>({2}, {14, 32}));
  CHECK(valueOf(matmulOf(DoubleTensorLayer(vector), vector)) == Tensor<double>::scalar(14));
}

TEST_CASE("matmul multiplies stacks of matrices") {
  const Tensor<double> stack({2, 1, 2}, {1, 2, 3, 4});
  const Tensor<double> y({2, 2}, {1, 0, 1, 1});
  CHECK(valueOf(matmulOf(DoubleTensorLayer(stack), y)) == Tensor<double>({2, 1, 2}, {3, 2, 7, 4}));
}

TEST_CASE("the gradients of matmul are the central differences, for vectors, matrices and stacks") {
  Random random(13);
  for (const auto& [x, y] : fits)
    checkKinds<double>(matmulOf, random.tensor<double>(x), random.tensor<double>(y));
}

TEST_CASE("the gradients of matmul are the central differences in single precision") {
  Random random(14);
  for (const auto& [x, y] : fits) {
    const auto left = random.tensor<float>(x);
    const auto right = random.tensor<float>(y);
    checkGradients<float>(matmulOf, left, right);
    checkGradients<float>(onDiamond(matmulOf), left, right);
  }
}

TEST_CASE(
    "the gradient of matmul adds up where both operands are one, and where one is used in several products") {
  checkGradients([](const auto& x) { return matmulOf(x, x); }, Tensor<double>({2, 2}, {1, 2, 3, 4}));
  checkGradients([](const auto& x) { return matmulOf(x, x); }, Tensor<double>({3}, {1, 2, 3}));
  const Tensor<double> weight({2, 2}, {1, -2, 0.5, 3});
  checkGradients([](const auto& x, const auto& w) { return matmulOf(matmulOf(x, w), w); },
                 Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}), weight);
  const auto dense = [](const auto& w) {
    return matmulOf(Tensor<double>({2}, {1, 2}), w) + matmulOf(w, w) * w;
  };
  checkGradients(dense, weight);
}

TEST_CASE("shapes that do not fit are refused by matmul, as soon as they are known") {
  const auto refused = [](const Shape& x, const Shape& y, const std::string& text) {
    const DoubleTensorWeight left(Tensor<double>::full(x, 1));
    const auto right = Tensor<double>::full(y, 1);
    const std::string message = "tapestry::matmul: " + text;
    CHECK_THROWS_WITH_AS(matmulOf(left, right), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(matmulOf(left.data(), right), message.c_str(), ShapeError);
    CHECK(evaluationError(matmulOf(lateLayer(left), right)) == message);
    CHECK(evaluationError(matmulOf(left, lateLayer(right))) == message);
    CHECK(left.data() == Tensor<double>::full(x, 1));
  };
  refused({2, 3}, {4, 5}, "inner dimensions differ, got [2, 3] and [4, 5], expected [.., K] and [K, ..]");
  refused({3}, {4}, "inner dimensions differ, got [3] and [4], expected [.., K] and [K, ..]");
  refused({2, 3, 4}, {5, 4, 3},
          "leading axes do not broadcast, got [2, 3, 4] and [5, 4, 3], expected extents that are equal or 1 "
          "before the "
          "last two axes");
  refused({}, {2}, "a scalar is not a matrix, got [] and [2], expected operands with at least one axis");
}
