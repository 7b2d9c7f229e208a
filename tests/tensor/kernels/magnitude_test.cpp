#include <tapestry/tensor/kernels/magnitude.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("the magnitude is the largest absolute value, of any number of elements", T, float,
                   double) {
  onEachInstructionSet([] {
    CHECK(kernels::magnitude(Tensor<T>::zeros({0})) == 0);
    CHECK(kernels::magnitude(T{-3}) == 3);
    for (const std::size_t n : {1, 2, 3, 7, 8, 15, 64, 65, 67, 130, 1000})
      for (std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
        auto x = Tensor<T>::full({n}, T{0.5});
        x.exclusiveData()[place] = -7;
        CHECK(kernels::magnitude(x) == 7);
        x.exclusiveData()[place] = -std::numeric_limits<T>::infinity();
        CHECK(kernels::magnitude(x) == std::numeric_limits<T>::infinity());
        x.exclusiveData()[n - 1 - place] = std::numeric_limits<T>::quiet_NaN();
        CHECK(std::isnan(kernels::magnitude(x)));
      }
  });
}

TEST_CASE_TEMPLATE("the magnitude is that of the values after each change", T, float, double) {
  auto x = Tensor<T>::full({4, 100}, T{2});
  CHECK(kernels::magnitude(x) == 2);
  const Tensor<T> other = x;
  CHECK(kernels::magnitude(other) == 2);
  x.exclusiveData()[7] = 5;  // a copy, since the other one sees the values
  CHECK(kernels::magnitude(x) == 5);
  CHECK(kernels::magnitude(other) == 2);
  CHECK(kernels::magnitude(x.reshape({400})) == 5);
  auto flat = std::move(x).reshape({400});
  x = Tensor<T>();
  CHECK(kernels::magnitude(flat) == 5);
  flat.exclusiveData()[7] = 3;
  CHECK(kernels::magnitude(flat) == 3);
  CHECK(kernels::magnitude(x) == 0);
}

TEST_CASE_TEMPLATE("the magnitude of racing values is looked for each time", T, float, double) {
  auto x = Tensor<T>::full({100}, T{2});
  CHECK(kernels::magnitude(x) == 2);
  T* const values = x.exclusiveData();
  x.setRacing();
  CHECK(kernels::magnitude(x) == 2);
  values[3] = 9;
  CHECK(kernels::magnitude(x) == 9);
}
