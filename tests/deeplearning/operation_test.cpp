#include <tapestry/deeplearning/operation.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

#include "deeplearning/operations/binary.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

// One operation for each choice of what to keep.
constexpr auto doubleOf =
    unaryOperation<"doubled", Keep::nothing>([](const auto& x) { return kernels::add(x, x); },
                                             [](const auto& delta) { return kernels::add(delta, delta); });
constexpr auto exponentialOf = unaryOperation<"exponential", Keep::output>(
    [](const auto& x) { return kernels::exp(x); },
    [](const auto& delta, const auto& y) { return kernels::multiply(delta, y); });
constexpr auto squareOf = unaryOperation<"square", Keep::operands>(
    [](const auto& x) { return kernels::multiply(x, x); },
    [](const auto& delta, const auto& x) { return kernels::multiply(kernels::add(x, x), delta); });
constexpr auto totalOf = unaryOperation<"total", Keep::shapes, ToScalar>(
    [](const auto& x) { return static_cast<double>(kernels::sum(x)); },
    [](double delta, const Shape& shape) { return shape.rank() == 2 ? delta : 0 * delta; });

constexpr auto plusOf = binaryOperation<"plus", Keep::nothing>(
    [](const auto& x, const auto& y) { return kernels::add(x, y); }, [](const auto& delta) { return delta; },
    [](const auto& delta) { return delta; });
constexpr auto quotientOf = binaryOperation<"quotient", Keep::operands>(
    [](const auto& x, const auto& y) { return kernels::divide(x, y); },
    [](const auto& delta, const auto&, const auto& y) { return kernels::divide(delta, y); },
    [](const auto& delta, const auto& x, const auto& y) {
      return kernels::negate(kernels::multiply(kernels::divide(delta, y), kernels::divide(x, y)));
    });
constexpr auto expOfSum = binaryOperation<"expOfSum", Keep::output>(
    [](const auto& x, const auto& y) { return kernels::exp(kernels::add(x, y)); },
    [](const auto& delta, const auto& z) { return kernels::multiply(delta, z); },
    [](const auto& delta, const auto& z) { return kernels::multiply(delta, z); });
constexpr auto sumOfBoth = binaryOperation<"sumOfBoth", Keep::shapes, ToScalar>(
    [](const auto& x, const auto& y) { return static_cast<double>(kernels::sum(x) + kernels::sum(y)); },
    [](double delta, const Shape&, const Shape&) { return delta; },
    [](double delta, const Shape&, const Shape&) { return delta; });

struct ProductPlusShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& y, const Shape& z) {
    return broadcast(broadcast(x, y, name), z, name);
  }
};
constexpr auto productPlus = ternaryOperation<"productPlus", Keep::operands, ProductPlusShapes>(
    [](const auto& x, const auto& y, const auto& z) { return kernels::add(kernels::multiply(x, y), z); },
    [](const auto& delta, const auto&, const auto& y, const auto&) { return kernels::multiply(delta, y); },
    [](const auto& delta, const auto& x, const auto&, const auto&) { return kernels::multiply(delta, x); },
    [](const auto& delta, const auto&, const auto&, const auto&) { return delta; });

/// A rule for shapes whose estimate of the cost throws.
struct Priceless : tapestry::Elementwise {
  static float cost(const auto*...) { throw std::runtime_error("no estimate"); }
};

static_assert(squareOf.name == "square");
static_assert(squareOf.kept == Keep::operands);
static_assert(std::same_as<decltype(squareOf(3.0F)), float>);
static_assert(std::same_as<decltype(squareOf(Tensor<double>())), Tensor<double>>);
static_assert(std::same_as<decltype(squareOf(DoubleWeight(1))), DoubleLayer>);
static_assert(std::same_as<decltype(totalOf(Tensor<float>())), double>);
static_assert(std::same_as<decltype(sumOfBoth(TensorWeight({}), 1.0)), DoubleLayer>);

// A type that is no operand, and functions with names of operations whose parameter it converts to.
struct Metres {
  double count;
};
struct Miles {
  operator Metres() const { return {1609 * count}; }
  double count;
};
struct Route : std::vector<Miles> {};

double sigmoid(Metres length) { return length.count; }
template <class T>
std::size_t relu(const std::vector<T>& lengths) {
  return lengths.size();
}
double leakyRelu(const Miles& length, float slope) { return length.count * static_cast<double>(slope); }
int softmax(const Miles&, int axis) { return axis; }
double train(const Miles& length, float seconds) { return length.count / static_cast<double>(seconds); }

}  // namespace

TEST_CASE(
    "a user-defined function by the name of an operation takes operands that convert to its parameter") {
  CHECK(sigmoid(Miles{3}) == 4827);
  CHECK(relu(Route{{Miles{1}, Miles{2}}}) == 2);
  using namespace tapestry;
  CHECK(leakyRelu(Miles{3}, 0.5) == 1.5);
  CHECK(softmax(Miles{3}, std::ptrdiff_t{1}) == 1);
  CHECK(train(Miles{3}, 2.0) == 1.5);
}

TEST_CASE("a user-defined operation on one operand has the given derivative, for any data that it keeps") {
  checkUnary<double>(doubleOf);
  checkUnary<Tensor<double>>(doubleOf);
  checkUnary<Tensor<double>>(exponentialOf);
  checkUnary<Tensor<double>>(squareOf);
  checkUnary<double>(squareOf);
}

TEST_CASE("a scalar derivative is spread over a tensor, and may depend on its shape") {
  const DoubleTensorWeight matrix(Tensor<double>({1, 2}, {1, 2}));
  const auto exact = gradients(totalOf(matrix)).blockingAwait();
  CHECK(exact.loss == 3);
  CHECK(exact.of(matrix) == Tensor<double>({1, 2}, {1, 1}));
  const DoubleTensorWeight vector(Tensor<double>({2}, {1, 2}));
  CHECK(gradients(totalOf(vector)).blockingAwait().of(vector) == Tensor<double>({2}, {0, 0}));
}

TEST_CASE("a user-defined operation on two operands broadcasts and has the derivatives that it was given") {
  checkBinary<Tensor<double>, Tensor<double>>(plusOf);
  checkBinary<double, Tensor<double>>(expOfSum);
  checkBinary<Tensor<double>, double>(quotientOf, {}, {.low = 0.5, .mirrored = true});
  checkGradients(sumOfBoth, Tensor<double>({2}, {1, 2}), 3.0);
}

TEST_CASE("a user-defined operation on three operands broadcasts and has the derivatives that it was given") {
  const Tensor<double> x({2, 3}, {1, -2, 3, 0.5, 5, -6});
  const Tensor<double> y({3}, {2, 0.25, -1});
  const Tensor<double> z({2, 1}, {0.5, -4});
  checkGradients(productPlus, x, y, z);
  CHECK(productPlus(2.0, 3.0, 4.0) == 10);
  CHECK(productPlus(DoubleWeight(2), 3.0, DoubleLayer(4)).node()->name() == "productPlus");
  CHECK_THROWS_WITH_AS(productPlus(DoubleTensorWeight(x), y, Tensor<double>::zeros({4, 1})),
                       doctest::Contains("tapestry::productPlus: "), ShapeError);
}

TEST_CASE("the shapes of an elementwise operation are checked under its name") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2}));
  CHECK_THROWS_WITH_AS(
      plusOf(x, Tensor<double>::zeros({3})),
      "tapestry::plus: shapes do not broadcast, got [2] and [3], expected extents that are equal or "
      "1, aligned at the last axis",
      ShapeError);
}

TEST_CASE("an exception of a forward or a derivative fails the pass, and no weight changes") {
  constexpr auto noForward = unaryOperation<"noForward", Keep::nothing>(
      [](double x) { return x < 0 ? throw std::domain_error("forward") : x; },
      [](double delta) { return delta; });
  constexpr auto noDerivative = unaryOperation<"noDerivative", Keep::operands>(
      [](double x) { return x; },
      [](double delta, double x) { return x < 0 ? throw std::domain_error("derivative") : delta; });
  const DoubleWeight w(-1);
  const DoubleWeight other(2);
  CHECK(evaluationError(noForward(w) + other) == "forward");
  CHECK(valueOf(noDerivative(w) + other) == 1);
  CHECK_THROWS_WITH_AS(train(noDerivative(w) + other).blockingAwait(), "derivative", std::domain_error);
  CHECK_THROWS_WITH_AS(gradients(other + noDerivative(w)).blockingAwait(), "derivative", std::domain_error);
  CHECK(w.data() == -1);
  CHECK(other.data() == 2);
}

TEST_CASE("an operation may hold a value that cannot be copied, and is moved into its layer") {
  auto factor = std::make_unique<double>(3);
  auto tripled = unaryOperation<"tripled", Keep::nothing>(
      [factor = std::move(factor)](double x) { return *factor * x; }, [](double delta) { return 3 * delta; });
  const DoubleWeight w(2);
  CHECK(gradients(std::move(tripled)(w)).blockingAwait().of(w) == 3);
}

TEST_CASE("an operation may hold data") {
  const std::vector<double> factors{2, 3};
  const auto dot = unaryOperation<"dot", Keep::nothing, ToScalar>(
      [factors](const Tensor<double>& x) { return factors[0] * x(0) + factors[1] * x(1); },
      [factors](double delta) {
        return Tensor<double>({2}, {delta * factors[0], delta * factors[1]});
      });
  checkGradients(dot, Tensor<double>({2}, {1, 2}));
  checkGradients(onDiamond(dot), Tensor<double>({2}, {1, 2}));
}

TEST_CASE("deltas follow the shapes of the data, also if a user-defined operation has no rule") {
  const auto rowSums = unaryOperation<"rowSums", Keep::shapes>(
      [](const auto& x) { return kernels::sum(x, Axes{1}, true); },
      [](const auto& delta, const Shape& shape) { return kernels::broadcastTo(delta, shape); });
  const DoubleTensorWeight w(Tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  const auto gradient = gradients(mean(rowSums(w) + 1.0)).blockingAwait().of(w);
  CHECK(gradient == Tensor<double>::full({2, 3}, 0.5));
}

TEST_CASE("an exception of a rule's estimate of the cost reaches the caller of the operation") {
  const auto same = unaryOperation<"same", Keep::nothing, Priceless>([](double x) { return x; },
                                                                     [](double delta) { return delta; });
  CHECK_THROWS_WITH_AS(static_cast<void>(same(DoubleWeight(1))), "no estimate", std::runtime_error);
}
