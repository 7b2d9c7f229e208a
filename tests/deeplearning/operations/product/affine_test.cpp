#include <tapestry/deeplearning/operations/product/affine.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/count_pass.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/sgd.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;

namespace {

static_assert(std::same_as<decltype(tapestry::affine(Tensor<double>(), Tensor<double>(), Tensor<double>())),
                           Tensor<double>>);
static_assert(
    std::same_as<decltype(tapestry::affine(Tensor<float>(), tapestry::TensorWeight({}), Tensor<float>())),
                 tapestry::TensorLayer>);

}  // namespace

TEST_CASE("affine is matmul plus the bias, to the last bit, in value and in gradients") {
  Random random(17);
  const auto check = [&]<class T>(T, const Shape& shapeX, const Shape& shapeW, const Shape& shapeB) {
    const tapestry::Weight<Tensor<T>> x(random.tensor<T>(shapeX));
    const tapestry::Weight<Tensor<T>> w(random.tensor<T>(shapeW));
    const tapestry::Weight<Tensor<T>> b(random.tensor<T>(shapeB));
    CHECK(tapestry::affine(x.data(), w.data(), b.data()) == tapestry::matmul(x.data(), w.data()) + b.data());
    const auto fused = tapestry::gradients(tapestry::sum(tapestry::affine(x, w, b))).blockingAwait();
    const auto apart = tapestry::gradients(tapestry::sum(tapestry::matmul(x, w) + b)).blockingAwait();
    CHECK(fused.loss == apart.loss);
    for (const auto& weight : {x, w, b}) CHECK(fused.of(weight) == apart.of(weight));
  };
  for (const auto& [x, w, b] : std::vector<std::array<Shape, 3>>{{{{16, 64}, {64, 64}, {64}}},
                                                                 {{{5, 3}, {3, 7}, {1}}},
                                                                 {{{5, 3}, {3, 7}, {5, 1}}},
                                                                 {{{3}, {3, 7}, {7}}},
                                                                 {{{2, 4, 3}, {3, 2}, {2}}},
                                                                 {{{2, 4, 3}, {2, 3, 2}, {}}},
                                                                 {{{0, 3}, {3, 2}, {2}}}}) {
    check(float(), x, w, b);
    check(double(), x, w, b);
  }
}

TEST_CASE("the gradients of affine are the central differences, for any rows, widths and biases") {
  checkDraws([](Random& random) {
    const Shape rows = drawShape(random, 0, 3);
    const std::size_t inputs = 1 + random.below(3);
    const std::size_t outputs = 1 + random.below(3);
    std::vector<std::size_t> extents(rows.begin(), rows.end());
    extents.push_back(inputs);
    const auto x = random.tensor<double>(Shape(extents));
    extents.back() = outputs;
    const auto b =
        random.tensor<double>(random.below(2) == 0 ? Shape{outputs} : random.stretching(Shape(extents)));
    return DrawnOperation{[](const Operands& of) { return tapestry::affine(of[0], of[1], of[2]); },
                          {x, random.tensor<double>({inputs, outputs}), b}};
  });
}

TEST_CASE("affine is one operation, forward and back") {
  const DoubleTensorWeight x(Tensor<double>({1, 1}, {2}));
  const DoubleTensorWeight b(Tensor<double>({1}, {1}));
  const auto loss = tapestry::sum(tapestry::affine(x, x, b));
  const auto [gradients, counts] = tapestry::countPass(tapestry::gradients(loss)).blockingAwait();
  CHECK(gradients.loss == 5);
  CHECK(gradients.of(x) == Tensor<double>({1, 1}, {4}));
  CHECK(gradients.of(b) == Tensor<double>({1}, {1}));
  CHECK(counts.forwards == 2);
  CHECK(counts.backwards == 2);
}

TEST_CASE("shapes that do not fit are refused by affine, as soon as they are known") {
  const auto refused = [](const Shape& x, const Shape& w, const Shape& b, const std::string& message) {
    const DoubleTensorWeight left(Tensor<double>::full(x, 1));
    const auto right = Tensor<double>::full(w, 1);
    const auto bias = Tensor<double>::full(b, 1);
    CHECK_THROWS_WITH_AS(tapestry::affine(left, right, bias), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(tapestry::affine(left.data(), right, bias), message.c_str(), ShapeError);
    CHECK(evaluationError(tapestry::affine(lateLayer(left), right, bias)) == message);
    CHECK(evaluationError(tapestry::affine(left, lateLayer(right), bias)) == message);
    CHECK(evaluationError(tapestry::affine(left, right, lateLayer(bias))) == message);
  };
  const std::string fits = ", expected extents that are equal or 1 in the first, aligned at the last axis";
  refused({2, 3}, {3, 4}, {3}, "tapestry::affine: shapes do not broadcast, got [3] to [2, 4]" + fits);
  refused({3}, {3, 4}, {2, 4}, "tapestry::affine: shapes do not broadcast, got [2, 4] to [4]" + fits);
  CHECK_THROWS_WITH_AS(
      tapestry::affine(DoubleTensorWeight(Tensor<double>::zeros({2, 3})), Tensor<double>::zeros({4, 5}),
                       lateLayer(Tensor<double>::zeros({5}))),
      "tapestry::matmul: inner dimensions differ, got [2, 3] and [4, 5], expected [.., K] and [K, ..]",
      ShapeError);
}
