#include <tapestry/tensor/xtensor/xtensor.hpp>

#include <doctest/doctest.h>

#include <tapestry/tensor/xtensor/detail/xtensor_header.hpp>

#include TAPESTRY_XTENSOR_CONTAINERS(xtensor.hpp)
#include TAPESTRY_XTENSOR_CORE(xmath.hpp)
#include TAPESTRY_XTENSOR_VIEWS(xview.hpp)

using tapestry::asXtensor;
using tapestry::fromXtensor;
using tapestry::Shape;
using tapestry::Tensor;

TEST_CASE_TEMPLATE("an xtensor expression sees the tensor's own values", T, float, double) {
  const Tensor<T> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto view = asXtensor(x);
  CHECK(view.dimension() == 2);
  CHECK(view(1, 2) == 6);
  CHECK(view.data() == x.data());
}

TEST_CASE("an expression becomes a tensor of its shape") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(fromXtensor(2 * asXtensor(x) + 1) == Tensor<float>({2, 3}, {3, 5, 7, 9, 11, 13}));
  CHECK(fromXtensor(xt::view(asXtensor(x), xt::all(), 1)) == Tensor<float>({2}, {2, 5}));
  CHECK(fromXtensor(xt::transpose(asXtensor(x))) == Tensor<float>({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST_CASE("a reduction of a tensor becomes a tensor, a scalar included") {
  const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(fromXtensor(xt::sum(asXtensor(x), {1})) == Tensor<double>({2}, {6, 15}));
  CHECK(fromXtensor(xt::sum(asXtensor(x))) == Tensor<double>::scalar(21));
}

TEST_CASE("an xtensor container becomes a tensor, an empty one too") {
  const xt::xtensor<float, 2> container{{1, 2}, {3, 4}};
  CHECK(fromXtensor(container) == Tensor<float>({2, 2}, {1, 2, 3, 4}));
  CHECK(fromXtensor(xt::xtensor<float, 2>(std::array<std::size_t, 2>{0, 3})).shape() == Shape{0, 3});
}
