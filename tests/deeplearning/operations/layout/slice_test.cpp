#include <tapestry/deeplearning/operations/layout/slice.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

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

TEST_CASE("the gradients of slice are the central differences, for any bounds and steps") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    const auto bound = [&] {
      return random.below(3) == 0 ? Slice::end : static_cast<std::ptrdiff_t>(random.below(9)) - 4;
    };
    const std::ptrdiff_t steps[] = {-3, -2, -1, 1, 1, 2, 3};
    std::vector<Slice> slices(random.below(shape.rank() + 1));
    for (Slice& each : slices) each = {bound(), bound(), steps[random.below(7)]};
    return DrawnOperation{[=](const Operands& of) { return slice(of[0], slices); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("slice refuses more slices than axes, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const char* const message =
      "tapestry::slice: too many slices, got 2 of [3], expected at most one for each axis";
  CHECK_THROWS_WITH_AS(slice(x, {Slice{}, Slice{}}), message, ShapeError);
  CHECK(evaluationError(slice(lateLayer(x), {Slice{}, Slice{}})) == message);
}
