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
