#include <tapestry/deeplearning/operations/slice.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("slice chooses indices along the leading axes") {
  const Tensor<float> x({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(slice(x, {Slice{1, 3}, Slice{.step = 2}}) == Tensor<float>({2, 2}, {4, 6, 8, 10}));
  CHECK(valueOf(slice(TensorLayer(x), {Slice{.step = -2}})) ==
        Tensor<float>({2, 4}, {8, 9, 10, 11, 0, 1, 2, 3}));
  CHECK(slice(x, {Slice::at(-1)}) == Tensor<float>({1, 4}, {8, 9, 10, 11}));
}

TEST_CASE("the gradients of slice are the central differences") {
  checkShapes(
      [](const auto& x) {
        return slice(x, {Slice{1, 3}, Slice{.step = -2}});
      },
      {{3, 4}, {4, 5, 2}, {3, 2, 1, 2, 1}, {2, 1}, {3, 0}});
  checkShapes([](const auto& x) { return slice(x, {Slice{2, 2}}); }, {{3}});
  checkShapes([](const auto& x) { return slice(x, {}); }, {{}, {2}});
}

TEST_CASE("slice refuses more slices than axes, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::slice: too many slices, got 2 of [3], expected at most one for each axis";
  CHECK_THROWS_WITH_AS(slice(x, {Slice{}, Slice{}}), message, ShapeError);
  CHECK(evaluationError(slice(lateLayer(x), {Slice{}, Slice{}})) == message);
}
