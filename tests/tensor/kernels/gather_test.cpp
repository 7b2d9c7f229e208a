#include <tapestry/tensor/kernels/gather.hpp>

#include <stdexcept>

#include "tapestry/tensor/shape_error.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

Indices randomIndices(Random& random, const Shape& shape, std::size_t extent) {
  std::vector<std::int64_t> values(shape.size());
  for (auto& value : values)
    value = static_cast<std::int64_t>(random.below(2 * extent)) - static_cast<std::int64_t>(extent);
  return Indices(shape, std::move(values));
}

template <class T>
double dotProduct(const Tensor<T>& a, const Tensor<T>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * b.data()[i];
  return sum;
}

}  // namespace

TEST_CASE("gather reads slices where the indices say") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(kernels::gather(x, {1, 1, -2}, 0) == Tensor<float>({3, 3}, {4, 5, 6, 4, 5, 6, 1, 2, 3}));
  CHECK(kernels::gather(x, {2, 0}, -1) == Tensor<float>({2, 2}, {3, 1, 6, 4}));
  CHECK(kernels::gather(x, Indices(Shape(), {1}), 1) == Tensor<float>({2}, {2, 5}));
  CHECK(kernels::gather(x, Indices({0}, {}), 1) == Tensor<float>::zeros({2, 0}));
}

TEST_CASE("scatter adds slices where the indices say") {
  const Tensor<double> x({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(kernels::scatter(x, {2, 0, -1}, 0, 3) == Tensor<double>({3, 2}, {3, 4, 0, 0, 6, 8}));
  CHECK(kernels::scatter(x, Indices({3, 2}, {0, 1, 1, 1, 0, 0}), 0, 2) == Tensor<double>({2}, {12, 9}));
  CHECK(kernels::scatter(x, Indices(Shape(), {1}), -1, 2) ==
        Tensor<double>({3, 2, 2}, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6}));
}

TEST_CASE("scatter is the transpose of gather, along any axis and for indices of any rank") {
  Random random(31);
  for (int round = 0; round < 200; ++round) {
    const Shape shape = random.shape();
    if (shape.rank() == 0) continue;
    const auto axis = static_cast<std::ptrdiff_t>(random.below(2 * shape.rank())) -
                      static_cast<std::ptrdiff_t>(shape.rank());
    const std::size_t extent =
        shape[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::ptrdiff_t>(shape.rank()) : axis)];
    const Shape chosen = extent == 0 ? Shape{0} : Shape{random.below(4), 1 + random.below(3)};
    const Indices indices = randomIndices(random, chosen, std::max<std::size_t>(extent, 1));
    const auto x = random.integers<float>(shape);
    const auto gathered = kernels::gather(x, indices, axis);
    const auto y = random.integers<float>(gathered.shape());
    const auto scattered = kernels::scatter(y, indices, axis, extent);
    CHECK(scattered.shape() == shape);
    CHECK(dotProduct(gathered, y) == dotProduct(x, scattered));
  }
}

TEST_CASE("indices out of range are refused") {
  const auto x = Tensor<float>::zeros({2, 3});
  CHECK_THROWS_WITH_AS(kernels::gather(x, {0, 3}, 1),
                       "tapestry::gather: index out of range, got 3 along axis 1 of extent 3, expected "
                       "indices below the extent, or down to minus it",
                       std::out_of_range);
  CHECK_THROWS_AS(kernels::gather(x, {-3}, 0), std::out_of_range);
  CHECK_THROWS_AS(kernels::gather(x, {0}, 2), ShapeError);
  CHECK_THROWS_WITH_AS(kernels::scatter(x, {0, 4}, 0, 4),
                       "tapestry::scatter: index out of range, got 4 along axis 0 of extent 4, expected "
                       "indices below the extent, or down to minus it",
                       std::out_of_range);
}

TEST_CASE("scatter refuses a tensor without the indices' axes") {
  CHECK_THROWS_WITH_AS(kernels::scatter(Tensor<float>::zeros({2, 3}), {0, 1, 0}, 0, 4),
                       "tapestry::scatter: the indices' axes are not there, got [2, 3] for indices [3] at "
                       "axis 0, expected the indices' extents from that axis on",
                       ShapeError);
  CHECK_THROWS_AS(kernels::scatter(Tensor<float>::zeros({2}), Indices({2, 1}, {0, 1}), 0, 4), ShapeError);
  CHECK_THROWS_AS(kernels::scatter(Tensor<float>::zeros({2}), {0, 1}, 1, 4), ShapeError);
}

TEST_CASE("empty tensors with large extents are gathered and scattered at once") {
  const auto x = Tensor<float>::zeros({std::size_t{1} << 40, 2, 0});
  const Indices first(Shape{1}, {0});
  CHECK(kernels::gather(x, first, 1).shape() == Shape{std::size_t{1} << 40, 1, 0});
  const auto part = Tensor<float>::zeros({std::size_t{1} << 40, 1, 0});
  CHECK(kernels::scatter(part, first, 1, 2).shape() == x.shape());
}
