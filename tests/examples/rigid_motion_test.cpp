#include "register_points/rigid_motion.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "support/error_text.hpp"
#include "support/networks/late_layer.hpp"

using namespace tapestry;
using namespace tapestry::examples;

static_assert(Differentiable<RigidMotion> && isLiteral<RigidMotion> && Differentiable<Weight<RigidMotion>> &&
              !isLiteral<Weight<RigidMotion>>);
static_assert(std::same_as<DeltaOf<RigidMotion>, RigidMotionDelta>);
static_assert(!Numeric<RigidMotion>);

namespace {

const Tensor<double> points({3, 2}, {1, 2, -1, 0.5, 3, -2});
const Tensor<double> targets({3, 2}, {0, 1, 1, 4, -2, 2});
const RigidMotion first{std::polar(1.0, 0.7), {1, -2}};
const RigidMotion second{std::polar(1.0, -1.9), {0.5, 3}};

template <class Motion>
DoubleLayer lossOf(const Motion& motion) {
  const auto error = move(motion, points) - targets;
  return mean(error * error);
}

RigidMotion nudged(const RigidMotion& motion, const RigidMotionDelta& by) {
  return {motion.rotation * std::polar(1.0, by.angle), motion.shift + by.shift};
}

/// Compares the gradient at the weight with central differences along the three ways in which it can move.
void checkMotion(const DoubleLayer& loss, const Weight<RigidMotion>& weight) {
  constexpr double step = 1e-5;
  const RigidMotion start = weight.data();
  const RigidMotionDelta exact = gradients(loss).blockingAwait().of(weight);
  const auto difference = [&](const RigidMotionDelta& by, const RigidMotionDelta& back) {
    weight.setData(nudged(start, by));
    const double above = predict(loss).blockingAwait();
    weight.setData(nudged(start, back));
    const double below = predict(loss).blockingAwait();
    weight.setData(start);
    return (above - below) / (2 * step);
  };
  CHECK(exact.angle == doctest::Approx(difference({step, 0}, {-step, 0})).epsilon(1e-6));
  CHECK(exact.shift.real() == doctest::Approx(difference({0, step}, {0, -step})).epsilon(1e-6));
  CHECK(exact.shift.imag() == doctest::Approx(difference({0, {0, step}}, {0, {0, -step}})).epsilon(1e-6));
}

}  // namespace

TEST_CASE("the gradients of operations on motions equal the differences") {
  const Weight<RigidMotion> x(first, MotionDescent{0.1});
  const Weight<RigidMotion> y(second, MotionDescent{0.1});
  const Layer<RigidMotion> late = test::lateLayer(x);
  for (const DoubleLayer& loss : {lossOf(x), lossOf(inverse(x)), lossOf(compose(x, y)), lossOf(compose(y, x)),
                                  lossOf(compose(x, second)), lossOf(compose(second, x)),
                                  lossOf(compose(late, inverse(x))), lossOf(compose(x, x)) * lossOf(late)})
    checkMotion(loss, x);
}

TEST_CASE("points that are moved get their gradients too") {
  const DoubleTensorWeight weight(points, sgd(1));
  const auto sum = move(first, weight);
  const auto gradient = gradients(mean(sum * targets)).blockingAwait().of(weight);
  const auto expected = move(RigidMotion{std::conj(first.rotation), 0}, targets);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    CHECK(gradient.data()[i] == doctest::Approx(expected.data()[i] / 6));
}

TEST_CASE("literal motions are computed at once, and a motion after its inverse is none") {
  const RigidMotion none = compose(first, inverse(first));
  CHECK(std::abs(none.rotation - 1.0) < 1e-12);
  CHECK(std::abs(none.shift) < 1e-12);
  const Tensor<double> there = move(compose(first, second), points);
  const Tensor<double> steps = move(first, move(second, points));
  for (std::size_t i = 0; i < there.size(); ++i) CHECK(there.data()[i] == doctest::Approx(steps.data()[i]));
}

TEST_CASE("a weight that is a motion stays one, and its gradient is nothing where no delta comes from") {
  const Weight<RigidMotion> motion(second, MotionDescent{0.05});
  const Weight<RigidMotion> other(first, MotionDescent{0.05});
  const auto none = gradients(lossOf(motion)).blockingAwait().of(other);
  CHECK(none.angle == 0);
  CHECK(none.shift == 0.0);
  const double before = predict(lossOf(motion)).blockingAwait();
  for (int i = 0; i < 20; ++i) train(lossOf(motion)).blockingAwait();
  CHECK(predict(lossOf(motion)).blockingAwait() < before / 2);
  CHECK(std::abs(motion.data().rotation) == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("a motion moves nothing but points of the plane") {
  const Weight<RigidMotion> motion(first, MotionDescent{0.1});
  const Tensor<double> solid({1, 3}, {1, 2, 3});
  CHECK(test::errorOf([&] { predict(move(motion, solid)).blockingAwait(); }) ==
        "tapestry::move: these are no points, got [1, 3], expected [n, 2]");
}
