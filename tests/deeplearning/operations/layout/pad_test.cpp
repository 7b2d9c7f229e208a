#include <tapestry/deeplearning/operations/layout/pad.hpp>

#include <limits>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("pad puts a border around a tensor") {
  const Tensor<float> x({1, 2}, {1, 2});
  CHECK(pad(x, {{1, 0}, {0, 2}}) == Tensor<float>({2, 4}, {0, 0, 0, 0, 1, 2, 0, 0}));
  CHECK(valueOf(pad(TensorWeight(x), {{0, 1}}, -1)) == Tensor<float>({2, 2}, {1, 2, -1, -1}));
  CHECK(pad(Tensor<double>::zeros({0}), {{1, 2}}, 5) == Tensor<double>::full({3}, 5));
}

TEST_CASE("the gradients of pad are the central differences") {
  checkShapes(
      [](const auto& x) {
        return pad(x, {{1, 2}, {0, 1}}, 3);
      },
      {{2, 3}, {2, 1, 2}, {1, 0}, {2, 1, 2, 1, 2}});
  checkShapes([](const auto& x) { return pad(x, {}); }, {{}, {3}});
}

TEST_CASE("the gradients of pad are the central differences, for any shapes and borders") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    std::vector<std::pair<std::size_t, std::size_t>> padding(random.below(shape.rank() + 1));
    for (auto& [before, after] : padding) before = random.below(3), after = random.below(2);
    return DrawnOperation{[=](const Operands& of) { return pad(of[0], padding, 0.5); },
                          {random.tensor<double>(shape)}};
  });
}

TEST_CASE("pad refuses more pairs than axes and a border beyond memory, as soon as the shape is known") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2}));
  const std::string many = "tapestry::pad: too many pairs, got 2 of [2], expected at most one for each axis";
  CHECK(errorOf([&] { return pad(x, {{0, 1}, {1, 0}}); }) == many);
  CHECK(evaluationError(pad(lateLayer(x), {{0, 1}, {1, 0}})) == many);
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK(errorOf([&] {
          return pad(x, {{most, 1}});
        }) ==
        "tapestry::pad: the border is too large, got 18446744073709551615 and 1 for axis 0 of [2], expected "
        "what memory can address");
  CHECK_THROWS_AS(pad(x, {{most / 8, most / 8}}), ShapeError);
}

TEST_CASE("pad reads no extent of an axis that a tensor does not have") {
  // so many that the extents would be read beyond the end of the stack
  const detail::PadShapes shapes{std::vector<std::pair<std::size_t, std::size_t>>(std::size_t{1} << 21), 0};
  CHECK(errorOf([&] { shapes.inside(Shape{2}); }) ==
        "tapestry::pad: too many pairs, got 2097152 of [2], expected at most one for each axis");
}
