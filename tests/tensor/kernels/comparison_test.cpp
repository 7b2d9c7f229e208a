#include <tapestry/tensor/kernels/comparison.hpp>

#include <functional>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Each comparison beside the operator of C++ that it stands for, on vectors longer and shorter than
/// registers.
template <class T>
void checkAll() {
  Random random(31);
  for (const std::size_t n : {1u, 3u, 8u, 33u, 100u}) {
    const auto a = random.integers<T>({n});
    const auto b = random.integers<T>({n});
    const auto check = [&](const Tensor<T>& result, const auto& holds) {
      for (std::size_t i = 0; i < n; ++i)
        CHECK(result.data()[i] == (holds(a.data()[i], b.data()[i]) ? T{1} : T{0}));
    };
    check(kernels::greater(a, b), std::greater<>());
    check(kernels::greaterEqual(a, b), std::greater_equal<>());
    check(kernels::less(a, b), std::less<>());
    check(kernels::lessEqual(a, b), std::less_equal<>());
    check(kernels::equal(a, b), std::equal_to<>());
    check(kernels::notEqual(a, b), std::not_equal_to<>());
  }
}

}  // namespace

TEST_CASE("each comparison is that of C++, element by element, with every instruction set") {
  onEachInstructionSet([] {
    checkAll<float>();
    checkAll<double>();
  });
}

TEST_CASE("comparisons broadcast, and take scalars on either side") {
  const Tensor<float> matrix({2, 2}, {1, 2, 3, 4});
  CHECK(kernels::greater(matrix, Tensor<float>({2}, {2, 3})) == Tensor<float>({2, 2}, {0, 0, 1, 1}));
  CHECK(kernels::lessEqual(matrix, 2) == Tensor<float>({2, 2}, {1, 1, 0, 0}));
  CHECK(kernels::lessEqual(2, matrix) == Tensor<float>({2, 2}, {0, 1, 1, 1}));
  CHECK_THROWS_AS(kernels::equal(matrix, Tensor<float>({3}, {1, 2, 3})), ShapeError);
}

TEST_CASE("NaN differs from everything, and is neither less nor greater") {
  const Tensor<double> nan({2}, {std::numeric_limits<double>::quiet_NaN(), 1});
  CHECK(kernels::equal(nan, nan) == Tensor<double>({2}, {0, 1}));
  CHECK(kernels::notEqual(nan, nan) == Tensor<double>({2}, {1, 0}));
  CHECK(kernels::less(nan, 2) == Tensor<double>({2}, {0, 1}));
  CHECK(kernels::greaterEqual(nan, 0) == Tensor<double>({2}, {0, 1}));
}
