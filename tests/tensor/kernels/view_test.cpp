#include <tapestry/tensor/kernels/view.hpp>

#include <limits>
#include <vector>

#include "tapestry/tensor/shape_error.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using kernels::View;

namespace {

Tensor<double> counting(const Shape& shape) {
  auto result = Tensor<double>::uninitialized(shape);
  double next = 0;
  for (double& value : std::span(result.exclusiveData(), result.size())) value = next++;
  return result;
}

View permuted(const Shape& shape, std::vector<std::ptrdiff_t> axes) {
  return View::permuted(shape, axes, "test");
}
View sliced(const Shape& shape, std::vector<Slice> slices) { return View::sliced(shape, slices, "test"); }

}  // namespace

TEST_CASE("a view of the whole reads the tensor itself") {
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3, 4}, Shape{2, 0}})
    CHECK(kernels::read(counting(shape), View::of(shape)) == counting(shape));
}

TEST_CASE("a permuted view swaps axes") {
  const auto x = counting({2, 3, 4});
  const auto y = kernels::read(x, permuted(x.shape(), {2, 0, -2}));
  REQUIRE(y.shape() == Shape{4, 2, 3});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 4; ++k) CHECK(y(k, i, j) == x(i, j, k));
}

TEST_CASE("a sliced view chooses indices") {
  const auto x = counting({4, 5});
  CHECK(kernels::read(x, sliced(x.shape(), {{1, 3}, {.step = 2}})) ==
        Tensor<double>({2, 3}, {5, 7, 9, 10, 12, 14}));
  CHECK(kernels::read(x, sliced(x.shape(), {Slice::at(-1), {.step = -1}})) ==
        Tensor<double>({1, 5}, {19, 18, 17, 16, 15}));
  CHECK(kernels::read(x, sliced(x.shape(), {{2, 2}})).shape() == Shape{0, 5});
  constexpr auto far = std::numeric_limits<std::ptrdiff_t>::max();
  CHECK(sliced(x.shape(), {{.step = far}}).strides[0] == 5);
  CHECK(kernels::read(x, sliced(x.shape(), {{.step = far}, {1, 2}})) == Tensor<double>({1, 1}, {1}));
}

TEST_CASE("read returns the elements that spread has written, and all other elements are 0") {
  test::Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Shape shape{1 + random.below(4), random.below(4), 1 + random.below(5)};
    std::vector<Slice> slices(random.below(4));
    for (Slice& slice : slices) {
      slice.start = static_cast<std::ptrdiff_t>(random.below(5)) - 2;
      slice.step = random.below(2) == 0 ? 1 + static_cast<std::ptrdiff_t>(random.below(2)) : -1;
    }
    const View view = sliced(shape, slices);
    const auto x = random.tensor<double>(view.shape);
    const auto spread = kernels::spread(x, view, shape);
    CHECK(spread.shape() == shape);
    CHECK(kernels::read(spread, view) == x);
    double all = 0, chosen = 0;
    for (const double value : spread.values()) all += value != 0;
    for (const double value : x.values()) chosen += value != 0;
    CHECK(all == chosen);
  }
}

TEST_CASE("spread fills all other elements with the given number") {
  const Tensor<float> x({2}, {1, 2});
  CHECK(kernels::spread(x, sliced({5}, {{1, 5, 2}}), {5}, 7) == Tensor<float>({5}, {7, 1, 7, 2, 7}));
}

TEST_CASE("axes that are missing, out of range or repeated are refused") {
  const Shape shape{2, 3};
  CHECK_THROWS_WITH_AS(permuted(shape, {0}),
                       "tapestry::test: wrong number of axes, got (0) of [2, 3], expected each axis once",
                       ShapeError);
  CHECK_THROWS_WITH_AS(permuted(shape, {0, 2}),
                       "tapestry::test: axis out of range, got (0, 2) of [2, 3], expected each axis once",
                       ShapeError);
  CHECK_THROWS_WITH_AS(permuted(shape, {1, -1}),
                       "tapestry::test: axis chosen twice, got (1, -1) of [2, 3], expected each axis once",
                       ShapeError);
  CHECK_THROWS_WITH_AS(sliced({2}, {{}, {}}),
                       "tapestry::test: too many slices, got 2 of [2], expected at most one for each axis",
                       ShapeError);
}

TEST_CASE("a tensor that is written must have the view's shape") {
  auto target = Tensor<float>::zeros({3});
  CHECK_THROWS_AS(kernels::write(target, Tensor<float>::zeros({2}), View::of({3})), ShapeError);
}
