#include <tapestry/deeplearning/operations/product/matmul.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/layout/transpose.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/tensor/buffer_pool.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::Shape;
using tapestry::ShapeError;
using tapestry::Tensor;
using tapestry::Transpose;

namespace {

constexpr auto matmulOf = [](const auto& x, const auto& y) { return tapestry::matmul(x, y); };

constexpr auto transposedMatmul(Transpose transposeX, Transpose transposeY) {
  return [=](const auto& x, const auto& y) { return tapestry::matmul(x, transposeX, y, transposeY); };
}

/// The shape with its last two axes swapped.
Shape swapped(const Shape& shape) {
  std::vector<std::size_t> extents(shape.begin(), shape.end());
  if (extents.size() > 1) std::swap(extents[extents.size() - 1], extents[extents.size() - 2]);
  return Shape(std::span<const std::size_t>(extents));
}

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
    {{2, 1, 2, 2, 3}, {3, 2}},
    {{2, 3}, {1, 2, 1, 3, 2}},
    {{3}, {2, 1, 2, 3, 2}},
    {{2, 1, 2, 2, 3}, {3}},
    {{2, 1, 2, 2, 3}, {2, 1, 3, 1}},
    {{2, 1, 1, 1, 2}, {1, 2, 2, 2, 2}},
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

TEST_CASE("matmul multiplies by the transposes of its operands, and a vector is its own") {
  Random random(15);
  for (const auto& [shapeX, shapeY] : fits) {
    const auto x = random.integers<double>(shapeX);
    const auto y = random.integers<double>(shapeY);
    const auto xT = shapeX.rank() < 2 ? x : tapestry::transpose(x);
    const auto yT = shapeY.rank() < 2 ? y : tapestry::transpose(y);
    CHECK(transposedMatmul(Transpose::yes, Transpose::no)(xT, y) == matmulOf(x, y));
    CHECK(transposedMatmul(Transpose::no, Transpose::yes)(x, yT) == matmulOf(x, y));
    CHECK(transposedMatmul(Transpose::yes, Transpose::yes)(xT, yT) == matmulOf(x, y));
  }
}

TEST_CASE("the gradients of matmul of transposed operands are the central differences") {
  Random random(16);
  for (const auto& [x, y] : fits) {
    const auto check = [&](Transpose transposeX, Transpose transposeY) {
      const auto left = random.tensor<double>(transposeX == Transpose::yes ? swapped(x) : x);
      const auto right = random.tensor<double>(transposeY == Transpose::yes ? swapped(y) : y);
      const auto operation = transposedMatmul(transposeX, transposeY);
      checkGradients(operation, left, right);
      checkGradients(onDiamond(operation), left, right);
      checkGradients([&](const auto& a, const auto& b) { return operation(lateLayer(a), b); }, left, right);
    };
    check(Transpose::yes, Transpose::no);
    check(Transpose::no, Transpose::yes);
    check(Transpose::yes, Transpose::yes);
  }
}

TEST_CASE("the gradients of matmul are the central differences, for any stacks, vectors and transposes") {
  checkDraws([](Random& random) {
    const Shape stack = drawShape(random, 0, 3);
    const auto some = [&] { return random.below(20) == 0 ? 0 : 1 + random.below(stack.size() > 4 ? 2 : 3); };
    const std::size_t inner = some();
    const auto operand = [&](std::size_t rows, std::size_t columns, Transpose& transpose) {
      const Shape leading = random.stretching(stack);
      std::vector<std::size_t> extents(leading.begin(), leading.end());
      extents.insert(extents.end(), {rows, columns});
      if (random.below(4) == 0) extents = {inner};
      transpose = random.below(2) == 0 ? Transpose::yes : Transpose::no;
      const Shape shape(extents);
      return random.tensor<double>(transpose == Transpose::yes ? swapped(shape) : shape);
    };
    Transpose transposeX;
    Transpose transposeY;
    const auto x = operand(some(), inner, transposeX);
    const auto y = operand(inner, some(), transposeY);
    return DrawnOperation{
        [=](const Operands& of) { return tapestry::matmul(of[0], transposeX, of[1], transposeY); }, {x, y}};
  });
}

TEST_CASE("the delta of a matrix stays symbolic, also where it meets a stack or is transposed") {
  const auto stack = Tensor<float>::full({8, 4, 32}, 1);
  const auto delta = Tensor<float>::full({8, 4, 64}, 1);
  const auto check = [&](const Shape& shape, Transpose transpose) {
    const auto y = Tensor<float>::zeros(shape);
    const std::size_t before = tapestry::BufferPool::liveBytes();
    const auto dy = tapestry::detail::matmulDerivativeRight(delta, stack, y, {Transpose::no, transpose});
    CHECK(tapestry::BufferPool::liveBytes() - before < y.size() * sizeof(float));
    CHECK(dy.dense() == Tensor<float>::full(shape, 32));
  };
  check({32, 64}, Transpose::no);
  check({64, 32}, Transpose::yes);
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
  CHECK(errorOf([] {
          return matmul(DoubleTensorWeight(Tensor<double>::zeros({2, 3})), Transpose::yes,
                        Tensor<double>::zeros({3, 2}), Transpose::no);
        }) ==
        "tapestry::matmul: inner dimensions differ, got [2, 3] transposed and [3, 2], expected [.., K] and "
        "[K, ..]; the second operand fits with Transpose::yes");
  refused({}, {2}, "a scalar is not a matrix, got [] and [2], expected operands with at least one axis");
}

TEST_CASE_TEMPLATE("large products do not depend on the threads that compute them, forward and backward", T,
                   float, double) {
  tapestry::ThreadPool pool(3);
  const Shape shapes[][2] = {
      {{16, 3072}, {3072, 64}}, {{300, 200}, {200, 130}}, {{1000, 90}, {90, 70}}, {{40, 300}, {300, 600}}};
  for (const auto& [left, right] : shapes)
    for (const bool transposed : {false, true}) {
      const Shape stored = transposed ? Shape{right[1], right[0]} : right;
      // small whole numbers: every order of additions gives the same sum
      const auto filled = [](const Shape& shape, std::size_t period) {
        auto values = Tensor<T>::uninitialized(shape);
        for (std::size_t i = 0; i < values.size(); ++i)
          values.exclusiveData()[i] = static_cast<T>(i % period) - 2;
        return values;
      };
      const tapestry::Weight<Tensor<T>> x(filled(left, 5));
      const tapestry::Weight<Tensor<T>> w(filled(stored, 7));
      const auto y = tapestry::matmul(x, Transpose::no, w, transposed ? Transpose::yes : Transpose::no);
      const auto loss = tapestry::sum(y * filled({left[0], right[1]}, 3));
      CHECK(tapestry::predict(y).blockingAwait(pool) == tapestry::predict(y).blockingAwait());
      for (int round = 0; round < 5; ++round) {
        const auto alone = tapestry::gradients(loss).blockingAwait();
        const auto helped = tapestry::gradients(loss).blockingAwait(pool);
        CHECK(helped.loss == alone.loss);
        CHECK(helped.of(x) == alone.of(x));
        CHECK(helped.of(w) == alone.of(w));
      }
    }
}
