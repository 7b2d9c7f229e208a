#include <tapestry/deeplearning/differentiable.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/networks/late_layer.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/with_pass.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;

static_assert(Differentiable<double> && Differentiable<float>);
static_assert(Differentiable<Tensor<double>> && Differentiable<Tensor<float>>);
static_assert(Differentiable<DoubleWeight> && Differentiable<FloatWeight> && Differentiable<TensorWeight>);
static_assert(Differentiable<DoubleLayer> && Differentiable<FloatLayer> && Differentiable<DoubleTensorLayer>);
static_assert(!Differentiable<int> && !Differentiable<std::string> && !Differentiable<std::vector<int>>);
static_assert(std::same_as<DataOf<TensorWeight>, Tensor<float>>);
static_assert(std::same_as<DataOf<DoubleLayer>, double>);
static_assert(isLiteral<double> && isLiteral<Tensor<float>> && !isLiteral<DoubleWeight> &&
              !isLiteral<TensorLayer>);

namespace {

template <Differentiable A, Differentiable B>
auto polymorphic(A a, B b) {
  return a * b + a;
}

template <class T>
auto valueOf(const T& differentiable) {
  return predict(differentiable).blockingAwait();
}

/// Gives f each kind of differentiable that has the value 3.
template <class F>
void withScalars(const F& f) {
  f(3.0);
  f(3.0F);
  f(DoubleWeight(3));
  f(FloatWeight(3));
  f(DoubleLayer(3));
  f(test::lateLayer(DoubleWeight(3)));
}

/// The same for [1, 2].
template <class F>
void withTensors(const F& f) {
  const Tensor<double> data({2}, {1, 2});
  f(data);
  f(DoubleTensorWeight(data));
  f(DoubleTensorLayer(data));
  f(test::lateLayer(DoubleTensorWeight(data)));
}

}  // namespace

TEST_CASE("a polymorphic function takes scalars of all kinds") {
  withScalars(
      [](const auto& a) { withScalars([&](const auto& b) { CHECK(valueOf(polymorphic(a, b)) == 12); }); });
}

TEST_CASE("a polymorphic function takes tensors of all kinds, and scalars with them") {
  withTensors([](const auto& a) {
    withTensors([&](const auto& b) { CHECK(valueOf(polymorphic(a, b)) == Tensor<double>({2}, {2, 6})); });
    withScalars([&](const auto& b) {
      CHECK(valueOf(polymorphic(a, b)) == Tensor<double>({2}, {4, 8}));
      CHECK(valueOf(polymorphic(b, a)) == Tensor<double>({2}, {6, 9}));
    });
  });
}

TEST_CASE("forward gives the data of a literal, a weight and a layer within a pass") {
  const auto dataOf = [](const auto& differentiable) {
    return withPass(forward(differentiable).map([](const auto& tape) { return tape.data; })).blockingAwait();
  };
  const DoubleWeight w(2);
  CHECK(dataOf(1.5) == 1.5);
  CHECK(dataOf(w) == 2);
  CHECK(dataOf(w + 1.0) == 3);
  CHECK(dataOf(Tensor<float>({1}, {4})) == Tensor<float>({1}, {4}));
}

TEST_CASE("in a block of direct style, a layer evaluates to its data") {
  const DoubleWeight w(2);
  const DoubleLayer layer = w * 3.0;
  CHECK(withPass(direct<Do>([=] { return !layer + !w; })).blockingAwait() == 8);
  const auto coroutine = direct<Do>([=]() -> Coroutine<double> { co_return co_await layer + co_await w; });
  CHECK(withPass(coroutine).blockingAwait() == 8);
}

// A type of one's own: a point that is trained in its coordinates, whose delta is a direction.
namespace mine {

struct Position {
  double x;
  double y;
};

struct Direction {
  double dx;
  double dy;
  Direction& operator+=(const Direction& other) {
    dx += other.dx;
    dy += other.dy;
    return *this;
  }
};

struct Point {
  DoubleWeight x;
  DoubleWeight y;
};

}  // namespace mine

template <>
struct tapestry::DeltaTraits<mine::Position> {
  using Type = mine::Direction;
};

template <>
struct tapestry::DeepLearning<mine::Point> {
  using Data = mine::Position;
  using Delta = mine::Direction;
  static Do<Tape<Data, Delta>> forward(const mine::Point& point) {
    return tuple2(parallel(tapestry::forward(point.x)), parallel(tapestry::forward(point.y)))
        .map([](const auto& both) {
          const auto& [first, second] = both;
          return Tape<Data, Delta>(
              {first.data, second.data}, [x = first, y = second](const Do<Delta>& delta) {
                return x.backward(delta.map([](const Delta& d) { return d.dx; })).flatMap([y, delta] {
                  return y.backward(delta.map([](const Delta& d) { return d.dy; }));
                });
              });
        });
  }
};

namespace mine {

constexpr auto squaredNorm = unaryOperation<"squaredNorm", Keep::operands, ToScalar>(
    [](const Position& p) { return p.x * p.x + p.y * p.y; },
    [](double delta, const Position& p) {
      return Direction{2 * delta * p.x, 2 * delta * p.y};
    });

constexpr auto stretch = binaryOperation<"stretch", Keep::operands>(
    [](const Position& p, double factor) {
      return Position{p.x * factor, p.y * factor};
    },
    [](const Direction& delta, const Position&, double factor) {
      return Direction{delta.dx * factor, delta.dy * factor};
    },
    [](const Direction& delta, const Position& p, double) { return delta.dx * p.x + delta.dy * p.y; });

}  // namespace mine

static_assert(Differentiable<mine::Point>);
static_assert(std::same_as<DataOf<Layer<mine::Position>>, mine::Position>);

TEST_CASE("a user-defined type whose delta differs from its data is differentiable") {
  const mine::Point point{DoubleWeight(3), DoubleWeight(4)};
  const auto exact = gradients(mine::squaredNorm(point)).blockingAwait();
  CHECK(exact.loss == 25);
  CHECK(exact.of(point.x) == 6);
  CHECK(exact.of(point.y) == 8);
}

TEST_CASE("operations mix a user-defined type with scalars, and its deltas add up") {
  const mine::Point point{DoubleWeight(3), DoubleWeight(4)};
  const DoubleWeight factor(2);
  const auto stretched = mine::stretch(point, factor);
  const auto loss = mine::squaredNorm(stretched) + mine::squaredNorm(mine::stretch(stretched, 0.5));
  const auto exact = gradients(loss).blockingAwait();
  CHECK(exact.loss == 125);
  CHECK(exact.of(point.x) == 30);  // 2 x (f^2 + f^2 / 4)
  CHECK(exact.of(point.y) == 40);
  CHECK(exact.of(factor) == 125);  // 2 f (1 + 1/4) (x^2 + y^2)
}
