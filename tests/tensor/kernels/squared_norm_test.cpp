#include <tapestry/tensor/kernels/squared_norm.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("squaredNorm adds up the squares of all elements", T, float, double) {
  CHECK(kernels::squaredNorm(T(-3)) == 9);
  CHECK(kernels::squaredNorm(Tensor<T>::zeros({0})) == 0);
  for (std::size_t size = 1; size < 40; ++size) {
    Tensor<T> x = Tensor<T>::uninitialized({size});
    double expected = 0;
    for (std::size_t i = 0; i < size; ++i) {
      x.exclusiveData()[i] = i % 2 == 0 ? T(i) : -T(i);
      expected += static_cast<double>(i * i);
    }
    CHECK(kernels::squaredNorm(x) == expected);
  }
}

TEST_CASE("squaredNorm of floats is a double, which does not overflow") {
  CHECK(kernels::squaredNorm(Tensor<float>({2}, {3e30F, 4e30F})) == doctest::Approx(25e60));
  CHECK(kernels::squaredNorm(1e30F) == doctest::Approx(1e60));
}
