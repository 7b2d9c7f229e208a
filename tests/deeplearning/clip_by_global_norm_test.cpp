#include <tapestry/deeplearning/clip_by_global_norm.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <tuple>

#include "deeplearning/optimizers/tables.hpp"
#include "support/error_text.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

/// Data of a user's own.
struct Angle {
  double degrees;
  Angle& operator+=(const Angle& other) {
    degrees += other.degrees;
    return *this;
  }
};

struct Turning {
  template <class V>
  struct State {};
  Angle step(const Angle& weight, const Angle& gradient, State<Angle>&) const {
    return {weight.degrees - gradient.degrees};
  }
};

const auto degrees = unaryOperation<"degrees", Keep::nothing>(
    [](const Angle& angle) { return angle.degrees; }, [](double delta) { return Angle{delta}; });

using Two = std::pair<Tensor<double>, double>;

struct DescentOfBoth {
  template <class V>
  struct State {};
  Two step(const Two& weight, const Two& gradient, State<Two>&) const {
    return {kernels::subtract(weight.first, gradient.first), weight.second - gradient.second};
  }
};

/// 3 * the sum of the tensor + 4 * the number.
const auto weighted = unaryOperation<"weighted", Keep::nothing, ToScalar>(
    [](const Two& two) { return 3 * kernels::sum(two.first) + 4 * two.second; },
    [](double delta) { return Two(Tensor<double>({1}, {3 * delta}), 4 * delta); });

template <class T>
void checkClippedSteps(double epsilon) {
  const Weight<T> scalar(T(0.5), sgd(0.1));
  const Weight<Tensor<T>> tensor(Tensor<T>({2}, {2, -4}), sgd(0.1));
  const auto square = [](const auto& difference) { return difference * difference; };
  const auto loss = square(scalar - T(3)) + sum(square(tensor - Tensor<T>({2}, {-1, 1})));
  for (const auto& [first, second, third] : test::tables::clipByGlobalNorm) {
    train(loss, clipByGlobalNorm(8)).blockingAwait();
    CHECK(static_cast<double>(scalar.data()) == doctest::Approx(first).epsilon(epsilon));
    CHECK(static_cast<double>(tensor.data()(0)) == doctest::Approx(second).epsilon(epsilon));
    CHECK(static_cast<double>(tensor.data()(1)) == doctest::Approx(third).epsilon(epsilon));
  }
}

}  // namespace

TEST_CASE("ten steps clipped by their global norm are those of the formula") {
  checkClippedSteps<double>(1e-13);
  checkClippedSteps<float>(1e-5);
}

TEST_CASE("all weights are clipped together, and only if they are too long together") {
  const DoubleWeight first(0, sgd(1));
  const FloatWeight second(0, sgd(1));
  train(first * 3.0 + second * 4.0, clipByGlobalNorm(5)).blockingAwait();
  CHECK(first.data() == -3);
  CHECK(second.data() == -4);
  train(first * 30.0 + second * 40.0, clipByGlobalNorm(5)).blockingAwait();
  CHECK(first.data() == doctest::Approx(-6).epsilon(1e-15));
  CHECK(second.data() == doctest::Approx(-8).epsilon(1e-7));
}

TEST_CASE("products of matrices and repeated uses count as their sum") {
  const Tensor<double> x({1, 2}, {3, 4});
  const DoubleTensorWeight w(Tensor<double>::zeros({2, 1}), sgd(1));
  train(sum(matmul(x, w)) + sum(matmul(x, w)), clipByGlobalNorm(5)).blockingAwait();
  CHECK(w.data()(0, 0) == doctest::Approx(-3).epsilon(1e-15));
  CHECK(w.data()(1, 0) == doctest::Approx(-4).epsilon(1e-15));
}

TEST_CASE("a weight's own chain sees the gradient that was clipped") {
  const DoubleWeight w(10, chain(l2(1), sgd(1)));
  train(w * 100.0, clipByGlobalNorm(2)).blockingAwait();
  CHECK(w.data() == -2);
}

TEST_CASE("a clipped train also yields observed layers, and the loss of before the step") {
  const DoubleWeight w(3, sgd(1));
  CHECK(train(w * 10.0, clipByGlobalNorm(1), w).blockingAwait() == std::tuple(30.0, 3.0));
  CHECK(w.data() == 2);
  CHECK(train(5.0, clipByGlobalNorm(1)).blockingAwait() == 5);
}

TEST_CASE("gradients of floats whose squares are too large for float are clipped") {
  const TensorWeight w(Tensor<float>::zeros({2}), sgd(1));
  train(sum(w * Tensor<float>({2}, {3e30F, 4e30F})), clipByGlobalNorm(5)).blockingAwait();
  CHECK(w.data()(0) == doctest::Approx(-3));
  CHECK(w.data()(1) == doctest::Approx(-4));
}

TEST_CASE("a norm that is not finite fails train, and nothing changes") {
  ThreadPool pool(2);
  const DoubleWeight w(1, momentum({.learningRate = 1}));
  const TensorWeight tensor(Tensor<float>::zeros({2}), momentum({.learningRate = 1}));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e200}) {
    const auto step = train(w * bad + sum(tensor), clipByGlobalNorm(1));
    CHECK_THROWS_AS(step.blockingAwait(), std::range_error);
    CHECK_THROWS_AS(step.blockingAwait(pool), std::range_error);
  }
  CHECK(test::errorOf([&] { train(w * -1e200, clipByGlobalNorm(1)).blockingAwait(); }) ==
        "tapestry::clipByGlobalNorm: the norm is out of range, got inf, expected a finite number");
  CHECK(w.data() == 1);
  CHECK(tensor.data() == Tensor<float>::zeros({2}));
  train(w * 0.5 + 0.5F * sum(tensor), clipByGlobalNorm(1)).blockingAwait();
  CHECK(w.data() == 0.5);  // the first step of momentum
}

TEST_CASE("a weight of a type without a norm fails a clipped train, and nothing changes") {
  const Weight<Angle> angle(Angle{90}, Turning());
  const DoubleWeight w(1, sgd(1));
  CHECK_THROWS_AS(train(degrees(angle) + w, clipByGlobalNorm(1)).blockingAwait(), std::logic_error);
  CHECK(angle.data().degrees == 90);
  CHECK(w.data() == 1);
  train(degrees(angle) + w).blockingAwait();
  CHECK(angle.data().degrees == 89);
}

TEST_CASE("a pass on a pool is clipped as on one thread") {
  ThreadPool pool(2);
  const DoubleWeight first(0, sgd(1));
  const DoubleWeight second(0, sgd(1));
  for (int i = 1; i <= 50; ++i) {
    train(first * 30.0 + second * 40.0, clipByGlobalNorm(5)).blockingAwait(pool);
    CHECK(first.data() == doctest::Approx(-3 * i).epsilon(1e-13));
    CHECK(second.data() == doctest::Approx(-4 * i).epsilon(1e-13));
  }
}

TEST_CASE("clipByGlobalNorm refuses a limit that is not positive") {
  CHECK(test::errorOf([] { clipByGlobalNorm(0); }) ==
        "tapestry::clipByGlobalNorm: the limit is out of range, got 0, expected more than 0");
  CHECK_THROWS_AS(clipByGlobalNorm(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST_CASE("the parts of a weight that is a pair are clipped together, and scaled for micro-batches") {
  const Weight<Two> weight({Tensor<double>({1}, {10}), 20}, DescentOfBoth());
  train(weighted(weight), clipByGlobalNorm(2.5)).blockingAwait();
  CHECK(weight.data().first.item() == doctest::Approx(8.5));
  CHECK(weight.data().second == doctest::Approx(18));
  trainMicroBatches(std::vector{1, 2}, 1, [&](int) { return weighted(weight); }).blockingAwait();
  CHECK(weight.data().first.item() == doctest::Approx(5.5));
  CHECK(weight.data().second == doctest::Approx(14));
}
