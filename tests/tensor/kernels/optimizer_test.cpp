#include <tapestry/tensor/kernels/optimizer.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("sgd goes against the gradient") {
  CHECK(kernels::sgdStep(1.0, 2.0, 0.25) == 0.5);
  CHECK(kernels::sgdStep(Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {2, 4}), 0.25F) ==
        Tensor<float>({2}, {0.5, 1}));
}

TEST_CASE("momentum adds up gradients, and earlier gradients decay") {
  auto [weight, velocity] = kernels::momentumStep(1.0, 2.0, 4.0, 0.125, 0.5);
  CHECK(velocity == 4);
  CHECK(weight == 0.5);
}

TEST_CASE("an adaptive step divides the gradient by the root of the accumulated squares") {
  const auto [weight, squares] = kernels::adaptiveStep(1.0, -2.0, 20.0, {0.5, 0.25, 1, 1});
  CHECK(squares == 9);
  CHECK(weight == 1.25);
}

TEST_CASE("the first step of Adam is as long as the learning rate, for any gradient") {
  for (const double gradient : {1e-3, 1.0, -1e3}) {
    const auto step = kernels::adamStep(0.0, gradient, 0.0, 0.0, {.learningRate = 0.1}, 1);
    CHECK(step.weight == doctest::Approx(gradient < 0 ? 0.1 : -0.1).epsilon(1e-4));
    CHECK(step.firstMoment == doctest::Approx(0.1 * gradient));
    CHECK(step.secondMoment == doctest::Approx(0.001 * gradient * gradient));
  }
}

TEST_CASE("three steps of Adam agree with a computation by hand") {
  // Gradients 1, 2, -1 at rate 0.5, beta1 0.5, beta2 0.75, epsilon 0, so that the corrected moments are
  // ratios of small integers: m = 1/2, 5/4, 1/8 over 1/2, 3/4, 7/8; v = 1/4, 19/16, 73/64 over 1/4, 7/16,
  // 37/64.
  const kernels::AdamParameters<double> parameters{0.5, 0.5, 0.75, 0};
  kernels::Adam<double> state{0, 0, 0};
  double expected = 0;
  const double gradients[] = {1, 2, -1};
  const double means[] = {1, 5.0 / 3, 1.0 / 7};
  const double squares[] = {1, 19.0 / 7, 73.0 / 37};
  for (std::uint64_t t = 1; t <= 3; ++t) {
    state = kernels::adamStep(state.weight, gradients[t - 1], state.firstMoment, state.secondMoment,
                              parameters, t);
    expected -= 0.5 * means[t - 1] / std::sqrt(squares[t - 1]);
    CHECK(state.weight == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE_TEMPLATE("a step of a tensor is the step of each of its elements", T, float, double) {
  onEachInstructionSet([] {
    Random random(12);
    for (std::size_t size = 0; size < 40; ++size) {
      const auto w = random.tensor<T>({size});
      const auto g = random.tensor<T>({size});
      const auto m = random.tensor<T>({size});
      const auto v = random.tensor<T>({size}, 0, 1);
      const auto sgd = kernels::sgdStep(w, g, T(0.1));
      const auto momentum = kernels::momentumStep(w, g, m, T(0.1), T(0.9));
      const kernels::AdaptiveParameters<T> adaptiveParameters{T(0.1), T(0.9), T(0.2), T(1e-3)};
      const auto adaptive = kernels::adaptiveStep(w, g, v, adaptiveParameters);
      const kernels::AdamParameters<T> adamParameters{.weightDecay = T(10)};
      const auto adam = kernels::adamStep(w, g, m, v, adamParameters, 7);
      REQUIRE(adam.weight.shape() == w.shape());
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(isNear(sgd(i), kernels::sgdStep(w(i), g(i), T(0.1)), 2));
        const auto one = kernels::momentumStep(w(i), g(i), m(i), T(0.1), T(0.9));
        CHECK(isNear(momentum.weight(i), one.weight, 2));
        CHECK(isNear(momentum.velocity(i), one.velocity, 2));
        const auto scaled = kernels::adaptiveStep(w(i), g(i), v(i), adaptiveParameters);
        CHECK(isNear(adaptive.weight(i), scaled.weight, 2));
        CHECK(isNear(adaptive.squares(i), scaled.squares, 2));
        const auto each = kernels::adamStep(w(i), g(i), m(i), v(i), adamParameters, 7);
        CHECK(isNear(adam.weight(i), each.weight, 2));
        CHECK(isNear(adam.firstMoment(i), each.firstMoment, 2));
        CHECK(isNear(adam.secondMoment(i), each.secondMoment, 2));
      }
    }
  });
}

TEST_CASE("a weight with another handle is left unchanged, a weight that is moved in is updated in place") {
  const auto g = Tensor<float>::full({8}, 1);
  auto w = Tensor<float>::zeros({8});
  auto m = Tensor<float>::zeros({8});
  auto v = Tensor<float>::zeros({8});
  const auto copied = kernels::adamStep(w, g, m, v, {}, 1);
  CHECK(w == Tensor<float>::zeros({8}));
  CHECK(m == Tensor<float>::zeros({8}));

  const float* const buffers[] = {w.data(), m.data(), v.data()};
  const auto inPlace = kernels::adamStep(std::move(w), g, std::move(m), std::move(v), {}, 1);
  CHECK(inPlace.weight.data() == buffers[0]);
  CHECK(inPlace.firstMoment.data() == buffers[1]);
  CHECK(inPlace.secondMoment.data() == buffers[2]);
  CHECK(inPlace.weight == copied.weight);
}

TEST_CASE("a gradient of another shape is refused") {
  const auto w = Tensor<float>::zeros({2, 3});
  const auto g = Tensor<float>::zeros({3});
  CHECK_THROWS_WITH_AS(kernels::sgdStep(w, g, 0.1F),
                       "tapestry::sgdStep: the shapes differ, got [3], expected [2, 3]", ShapeError);
  CHECK_THROWS_AS(kernels::momentumStep(w, g, w, 0.1F, 0.9F), ShapeError);
  CHECK_THROWS_AS(kernels::adamStep(w, w, g, w, {}, 1), ShapeError);
  CHECK_THROWS_AS(kernels::adaptiveStep(w, w, g, {}), ShapeError);
}
