#include <tapestry/tensor/kernels/activation.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

template <class T>
bool isEqualOrNear(T got, T expected) {
  return got == expected || isNear(got, static_cast<double>(expected), 8);
}

/// Tensors are what scalars are, element by element, and in place if they may be.
template <class T, class F, class G>
void checkActivation(const F& value, const G& derivative) {
  Random random(29);
  for (std::size_t n = 0; n < 40; ++n) {
    auto x = random.tensor<T>({n}, -8, 8);
    auto delta = random.tensor<T>({n});
    if (n > 5) {
      x.exclusiveData()[0] = 0;
      x.exclusiveData()[2] = -std::numeric_limits<T>::infinity();
      x.exclusiveData()[3] = std::numeric_limits<T>::infinity();
      x.exclusiveData()[5] = -std::numeric_limits<T>::max();
    }
    const auto y = value(x);
    const auto dx = derivative(delta, x);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(isEqualOrNear(y(i), value(x(i))));
      CHECK(isEqualOrNear(dx(i), derivative(delta(i), x(i))));
    }
    CHECK(derivative(std::move(delta), x) == dx);
    CHECK(value(std::move(x)) == y);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("activations of tensors are those of scalars, on each instruction set", T, float, double) {
  onEachInstructionSet([] {
    checkActivation<T>(
        [](auto x) { return kernels::silu(std::move(x)); },
        [](auto delta, const auto& x) { return kernels::siluDerivative(std::move(delta), x); });
    checkActivation<T>(
        [](auto x) { return kernels::gelu(std::move(x)); },
        [](auto delta, const auto& x) { return kernels::geluDerivative(std::move(delta), x); });
    checkActivation<T>(
        [](auto x) { return kernels::leakyRelu(std::move(x), 0.25F); },
        [](auto delta, const auto& x) { return kernels::leakyReluDerivative(std::move(delta), x, 0.25F); });
    checkActivation<T>(
        [](auto x) { return kernels::elu(std::move(x), 0.5F); },
        [](auto delta, const auto& x) { return kernels::eluDerivative(std::move(delta), x, 0.5F); });
  });
}

TEST_CASE_TEMPLATE("derivatives of activations do not hide NaN", T, float, double) {
  onEachInstructionSet([] {
    const auto x = Tensor<T>::full({21}, std::numeric_limits<T>::quiet_NaN());
    const auto delta = Tensor<T>::full({21}, 1);
    const auto leakyRelu = kernels::leakyReluDerivative(delta, x, T{0.25});
    const auto elu = kernels::eluDerivative(delta, x, T{0.5});
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(std::isnan(leakyRelu(i)));
      CHECK(std::isnan(elu(i)));
    }
  });
  const T nan = std::numeric_limits<T>::quiet_NaN();
  CHECK(std::isnan(kernels::leakyReluDerivative(T{1}, nan, T{0.25})));
  CHECK(std::isnan(kernels::eluDerivative(T{1}, nan, T{0.5})));
}

TEST_CASE("derivatives of activations refuse a delta of another shape") {
  CHECK_THROWS_WITH_AS(kernels::siluDerivative(Tensor<float>::zeros({2}), Tensor<float>::zeros({3})),
                       "tapestry::siluDerivative: the shapes differ, got [2], expected [3]",
                       tapestry::ShapeError);
}
