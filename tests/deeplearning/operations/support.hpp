// Defines the checks that operations' tests share: checkUnary, which tries an operation on all kinds of
// operands, and checkElementwise, which compares it with a table of points.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "support/error_text.hpp"
#include "support/networks/finite_differences.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/tensor/shape_error.hpp"
#include "tensor/kernels/support.hpp"

namespace tapestry::test {

/// A shape of rank 0 to 5 in turn, with extents from 1 to 3, and few elements; from round 12 on, a shape of
/// rank 1 to 3 with an extent of 0.
inline constexpr int shapeRounds = 15;
inline Shape smallShape(Random& random, int round) {
  const bool empty = round >= 12;
  std::vector<std::size_t> extents(static_cast<std::size_t>(empty ? round - 11 : round % 6));
  for (std::size_t& extent : extents) extent = 1 + random.below(extents.size() > 2 ? 2 : 3);
  if (empty) extents[random.below(extents.size())] = 0;
  return Shape(extents);
}

/// Where operands are drawn from: an interval, or its mirror image as well.
struct From {
  double low = -2;
  double high = 2;
  bool mirrored = false;

  template <class Data>
  Data draw(Random& random, const Shape& shape) const {
    Data data;
    if constexpr (detail::isTensor<Data>) data = Data::zeros(shape);
    for (auto& element : elementsOf(data)) {
      const double value = random.real(low, high);
      element = static_cast<detail::ElementOf<Data>>(mirrored && random.below(2) == 0 ? -value : value);
    }
    return data;
  }
};

/// The result of an operation on literals is the value of its layer.
template <class Data>
void checkLiteral(const Data& data, const Layer<Data>& layer) {
  CHECK(valueOf(asLoss(layer)) == valueOf(asLoss(Layer<Data>(data))));
}

/// The gradients of an operation on one operand of type Data: a weight, a layer, a late layer, on a diamond.
template <class Data, class F>
void checkUnary(const F& operation, From from = {}) {
  using T = detail::ElementOf<Data>;
  Random random(11);
  for (int round = 0; round < (detail::isTensor<Data> ? shapeRounds : 4); ++round) {
    const auto x = from.draw<Data>(random, smallShape(random, round));
    checkGradients<T>(operation, x);
    checkGradients<T>(onDiamond(operation), x);
    checkGradients<T>([&](const auto& weight) { return operation(lateLayer(weight)); }, x);
    checkLiteral(operation(x), operation(Layer<Data>(x)));
  }
}

/// The result is data of the same type for a literal, else a layer of it.
template <class F>
consteval bool hasUnaryTypes() {
  static_assert(std::same_as<std::invoke_result_t<F, double>, double>);
  static_assert(std::same_as<std::invoke_result_t<F, float>, float>);
  static_assert(std::same_as<std::invoke_result_t<F, Tensor<float>>, Tensor<float>>);
  static_assert(std::same_as<std::invoke_result_t<F, FloatWeight>, FloatLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, TensorWeight>, TensorLayer>);
  return true;
}

/// The value of an operation at x, and its derivative there, unless the derivative is not checked.
struct Point {
  double x;
  double y;
  std::optional<double> derivative = std::nullopt;
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Equal, or both not a number; or as near as epsilon, relative to 1 plus the value, unless it is 0.
template <class T>
void checkElement(T got, double expected, double epsilon) {
  const T value = static_cast<T>(expected);
  if (std::isnan(value))
    CHECK(std::isnan(got));
  else if (epsilon == 0)
    CHECK(got == value);
  else
    CHECK(got == doctest::Approx(value).epsilon(epsilon));
}

/// The values of an operation on scalars and on a tensor of all points, each a literal and a layer; and the
/// derivatives of weights of both kinds.
template <class T, class F>
void checkPoints(const F& operation, const std::vector<Point>& points, double epsilon = 0) {
  const Shape shape{2, points.size()};
  auto x = Tensor<T>::zeros(shape);
  for (std::size_t i = 0; i < x.size(); ++i) elementsOf(x)[i] = static_cast<T>(points[i % points.size()].x);
  const Tensor<T> y = operation(x);
  CHECK(y.shape() == shape);
  const Tensor<T> ofLayer = valueOf(operation(Layer<Tensor<T>>(x)));
  CHECK(ofLayer.shape() == shape);

  std::vector<Point> asked;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Point& point = points[i % points.size()];
    const T at = static_cast<T>(point.x);
    CAPTURE(at);
    checkElement(y.values()[i], point.y, epsilon);
    checkElement(ofLayer.values()[i], point.y, epsilon);
    checkElement(operation(at), point.y, epsilon);
    checkElement(valueOf(operation(Layer<T>(at))), point.y, epsilon);
    if (i < points.size() && point.derivative) asked.push_back(point);
  }

  auto start = Tensor<T>::zeros({asked.size()});
  for (std::size_t i = 0; i < asked.size(); ++i) elementsOf(start)[i] = static_cast<T>(asked[i].x);
  const Weight<Tensor<T>> weights(start);
  const Tensor<T> derivatives = gradients(operation(weights)).blockingAwait().of(weights);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Weight<T> weight(static_cast<T>(asked[i].x));
    CAPTURE(asked[i].x);
    checkElement(derivatives.values()[i], *asked[i].derivative, epsilon);
    checkElement(gradients(operation(weight)).blockingAwait().of(weight), *asked[i].derivative, epsilon);
  }
}

/// The expected results of an operation on each element by itself.
struct Elementwise {
  std::vector<Point> exact{};  ///< in both precisions
  std::vector<Point> near{};   ///< in double precision, as near as epsilon
  double epsilon = 1e-14;
  From from{};              ///< where its gradients are compared with central differences
  From fromInFloat = from;  ///< the same in single precision
};

/// Call it once in a test case.
template <class F>
void checkElementwise(const F& operation, const Elementwise& table) {
  static_assert(hasUnaryTypes<F>());
  SUBCASE("values and derivatives") {
    checkPoints<double>(operation, table.exact);
    checkPoints<float>(operation, table.exact);
    checkPoints<double>(operation, table.near, table.epsilon);
  }
  SUBCASE("central differences") {
    checkUnary<double>(operation, table.from);
    checkUnary<Tensor<double>>(operation, table.from);
  }
  SUBCASE("central differences in single precision") {
    checkUnary<float>(operation, table.fromInFloat);
    checkUnary<Tensor<float>>(operation, table.fromInFloat);
  }
}

/// The limits at minus infinity and at infinity of an operation that tends to 0 and to its operand, and NaN,
/// as its kernels have them, since no loss is finite there.
template <class F, class D>
void checkLimits(const F& operation, const D& derivative) {
  constexpr float inf = infinity;
  const Tensor<float> x({3}, {-inf, inf, static_cast<float>(notANumber)});
  const auto y = operation(x);
  const auto dy = derivative(Tensor<float>::full({3}, 1), x);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(y(i) == (i == 0 ? 0 : inf));
    CHECK(dy(i) == (i == 0 ? 0.0F : 1.0F));
    CHECK(operation(x(i)) == y(i));
    CHECK(derivative(1.0F, x(i)) == dy(i));
  }
  CHECK(std::isnan(y(2)));
  CHECK(std::isnan(dy(2)));
  CHECK(std::isnan(operation(x(2))));
}

/// The gradients of an operation on a tensor of each of the shapes: a weight, a late layer, on a diamond; in
/// double, and in float.
template <class F>
void checkShapes(const F& operation, const std::vector<Shape>& shapes, From from = {}) {
  Random random(13);
  const auto check = [&]<class T>(T, const Shape& shape) {
    const auto x = from.draw<Tensor<T>>(random, shape);
    checkGradients<T>(operation, x);
    checkGradients<T>(onDiamond(operation), x);
    checkGradients<T>([&](const auto& weight) { return operation(lateLayer(weight)); }, x);
    checkLiteral(operation(x), operation(Layer<Tensor<T>>(x)));
  };
  for (const Shape& shape : shapes) {
    check(double(), shape);
    check(float(), shape);
  }
}

/// The message of a network's evaluation, in predict and in train, where both must fail alike.
template <class L>
std::string evaluationError(const L& layer) {
  const DoubleLayer loss = asLoss(layer);
  const std::string error = errorOf([&] { valueOf(loss); });
  CHECK(errorOf([&] { train(loss).blockingAwait(); }) == error);
  return error;
}

}  // namespace tapestry::test
