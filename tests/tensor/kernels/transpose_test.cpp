#include <tapestry/tensor/kernels/transpose.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("a matrix of any shape is mirrored", T, float, double) {
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const Shape shape{random.below(50), random.below(50)};
    const auto x = random.tensor<T>(shape);
    const auto y = kernels::transpose(x);
    REQUIRE(y.shape() == Shape{shape[1], shape[0]});
    for (std::size_t i = 0; i < shape[0]; ++i)
      for (std::size_t j = 0; j < shape[1]; ++j) CHECK(y(j, i) == x(i, j));
  }
}

TEST_CASE("only a matrix can be transposed") {
  CHECK_THROWS_WITH_AS(kernels::transpose(Tensor<float>::zeros({3})),
                       "tapestry::transpose: not a matrix, got [3], expected [M, N]", ShapeError);
  CHECK_THROWS_AS(kernels::transpose(Tensor<float>::zeros({1, 2, 3})), ShapeError);
}

TEST_CASE("an empty matrix with a large extent is transposed at once") {
  const std::size_t extent = std::size_t{1} << 40;
  CHECK(kernels::transpose(Tensor<float>::zeros({extent, 0})).shape() == Shape{0, extent});
}
