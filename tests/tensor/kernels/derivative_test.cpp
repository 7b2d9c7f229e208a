#include <tapestry/tensor/kernels/derivative.hpp>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

// The tensor's derivative is the scalar's, element by element.
template <class T, class F>
void checkElementwise(const F& derivative) {
  Random random(4);
  for (std::size_t size = 0; size < 40; ++size) {
    const auto delta = random.tensor<T>({size});
    auto value = random.tensor<T>({size}, -1, 1);
    if (size > 3) value.exclusiveData()[size - 1] = 0;
    const auto result = derivative(delta, value);
    REQUIRE(result.shape() == delta.shape());
    for (std::size_t i = 0; i < size; ++i) CHECK(isNear(result(i), derivative(delta(i), value(i)), 2));
  }
}

template <class T, class F>
T difference(const F& function, T x) {
  const T step = T(1e-6);
  return (function(x + step) - function(x - step)) / (2 * step);
}

}  // namespace

TEST_CASE_TEMPLATE("derivatives of tensors are those of their elements", T, float, double) {
  onEachInstructionSet([] {
    checkElementwise<T>([](auto delta, auto y) { return kernels::reluDerivative(delta, y); });
    checkElementwise<T>([](auto delta, auto y) { return kernels::tanhDerivative(delta, y); });
    checkElementwise<T>([](auto delta, auto y) { return kernels::sigmoidDerivative(delta, y); });
    checkElementwise<T>([](auto delta, auto x) { return kernels::absDerivative(delta, x); });
  });
}

TEST_CASE("derivatives of scalars agree with differences") {
  for (const double x : {-2.5, -0.7, 0.3, 1.9}) {
    const auto relu = [](double v) { return kernels::relu(v); };
    const auto tanh = [](double v) { return kernels::tanh(v); };
    const auto sigmoid = [](double v) { return kernels::sigmoid(v); };
    const auto abs = [](double v) { return kernels::abs(v); };
    CHECK(kernels::reluDerivative(3.0, relu(x)) == doctest::Approx(3 * difference(relu, x)));
    CHECK(kernels::tanhDerivative(3.0, tanh(x)) == doctest::Approx(3 * difference(tanh, x)));
    CHECK(kernels::sigmoidDerivative(3.0, sigmoid(x)) == doctest::Approx(3 * difference(sigmoid, x)));
    CHECK(kernels::absDerivative(3.0, x) == doctest::Approx(3 * difference(abs, x)));
  }
}

TEST_CASE("relu and abs have the derivative zero at zero") {
  CHECK(kernels::reluDerivative(1.0, 0.0) == 0);
  CHECK(kernels::absDerivative(1.0, 0.0) == 0);
}

TEST_CASE_TEMPLATE("maximum passes its delta to the larger operand and halves it where they are equal", T,
                   float, double) {
  onEachInstructionSet([] {
    const Tensor<T> a({3}, {1, 2, 3});
    const Tensor<T> b({3}, {2, 2, 2});
    const auto delta = Tensor<T>::full({3}, 4);
    CHECK(kernels::maximumDerivativeLeft(delta, a, b) == Tensor<T>({3}, {0, 2, 4}));
    CHECK(kernels::maximumDerivativeLeft(delta, b, a) == Tensor<T>({3}, {4, 2, 0}));
  });
  CHECK(kernels::maximumDerivativeLeft(T{4}, T{2}, T{2}) == 2);
  CHECK(kernels::maximumDerivativeLeft(T{4}, T{3}, T{2}) == 4);
  CHECK(kernels::maximumDerivativeLeft(T{4}, T{2}, T{3}) == 0);
}

TEST_CASE_TEMPLATE("maximum passes nothing of an infinite delta to the smaller operand", T, float, double) {
  onEachInstructionSet([] {
    const T infinity = std::numeric_limits<T>::infinity();
    const Tensor<T> a({3}, {1, 2, 3});
    const auto delta = Tensor<T>::full({3}, infinity);
    CHECK(kernels::maximumDerivativeLeft(delta, a, Tensor<T>::scalar(2)) ==
          Tensor<T>({3}, {0, infinity, infinity}));
  });
}

TEST_CASE("the derivative of maximum broadcasts as maximum does") {
  onEachInstructionSet([] {
    Random random(5);
    for (int round = 0; round < 100; ++round) {
      const Shape shape = random.shape();
      const auto a = random.integers<float>(random.stretching(shape));
      const auto b = random.integers<float>(random.stretching(shape));
      const Shape whole = kernels::maximum(a, b).shape();
      const auto delta = random.tensor<float>(whole);
      const auto left = kernels::maximumDerivativeLeft(delta, a, b);
      const auto right = kernels::maximumDerivativeLeft(delta, b, a);
      REQUIRE(left.shape() == whole);
      for (std::size_t i = 0; i < delta.size(); ++i) {
        const float x = a.data()[broadcastIndex(i, whole, a.shape())];
        const float y = b.data()[broadcastIndex(i, whole, b.shape())];
        CHECK(left.data()[i] == kernels::maximumDerivativeLeft(delta.data()[i], x, y));
        CHECK(right.data()[i] == kernels::maximumDerivativeLeft(delta.data()[i], y, x));
      }
    }
  });
}

TEST_CASE("a delta of another shape is refused, even if it broadcasts") {
  const auto delta = Tensor<float>::zeros({2, 3});
  const auto output = Tensor<float>::zeros({3});
  CHECK_THROWS_WITH_AS(kernels::tanhDerivative(delta, output),
                       "tapestry::tanhDerivative: the shapes differ, got [2, 3], expected [3]", ShapeError);
  CHECK_THROWS_AS(kernels::maximumDerivativeLeft(delta, output, output), ShapeError);
}

TEST_CASE("the only handle of the delta lends its buffer") {
  auto delta = Tensor<float>::full({4}, 1);
  const float* const buffer = delta.data();
  CHECK(kernels::reluDerivative(std::move(delta), Tensor<float>::zeros({4})).data() == buffer);
}
