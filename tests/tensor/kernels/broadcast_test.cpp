#include <tapestry/tensor/kernels/broadcast.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("broadcastTo repeats a tensor of a random shape", T, float, double) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    const Shape shape = random.shape();
    const auto x = random.tensor<T>(random.stretching(shape));
    const auto y = kernels::broadcastTo(x, shape);
    REQUIRE(y.shape() == shape);
    for (std::size_t i = 0; i < y.size(); ++i)
      CHECK(y.data()[i] == x.data()[broadcastIndex(i, shape, x.shape())]);
  }
}

TEST_CASE_TEMPLATE("sumTo undoes a broadcast of a random shape", T, float, double) {
  onEachInstructionSet([] {
    Random random(7);
    for (int round = 0; round < 300; ++round) {
      const auto x = random.tensor<T>(random.shape());
      const Shape shape = random.stretching(x.shape());
      const auto y = kernels::sumTo(x, shape);
      REQUIRE(y.shape() == shape);
      std::vector<long double> sums(shape.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        sums[broadcastIndex(i, x.shape(), shape)] += static_cast<long double>(x.data()[i]);
      for (std::size_t i = 0; i < sums.size(); ++i)
        CHECK(isNear(y.data()[i], static_cast<double>(sums[i]), 2 * std::sqrt(x.size() + 1.0)));
    }
  });
}

TEST_CASE("where the shapes agree, the tensor itself is returned") {
  const auto x = Tensor<float>::zeros({2, 3});
  CHECK(kernels::broadcastTo(x, {2, 3}).identical(x));
  CHECK(kernels::sumTo(x, {2, 3}).identical(x));
}

TEST_CASE("an empty sum is zero") {
  CHECK(kernels::sumTo(Tensor<float>::zeros({0, 2}), {2}) == Tensor<float>::zeros({2}));
  CHECK(kernels::broadcastTo(Tensor<float>::zeros({1, 2}), {0, 2}).size() == 0);
}

TEST_CASE("a scalar's shape is empty") {
  CHECK(kernels::shapeOf(2.0) == Shape{});
  CHECK(kernels::shapeOf(Tensor<float>::zeros({2, 3})) == Shape{2, 3});
}

TEST_CASE("shapes that do not broadcast one to the other are refused") {
  const auto x = Tensor<float>::zeros({2, 3});
  CHECK_THROWS_WITH_AS(
      kernels::broadcastTo(x, {3, 3}),
      "tapestry::broadcastTo: shapes do not broadcast, got [2, 3] to [3, 3], expected extents that "
      "are equal or 1 in the first, aligned at the last axis",
      ShapeError);
  CHECK_THROWS_AS(kernels::broadcastTo(x, {3}), ShapeError);
  CHECK_THROWS_AS(kernels::sumTo(x, {2}), ShapeError);
  CHECK_THROWS_AS(kernels::sumTo(x, {1, 2, 3}), ShapeError);
}
