#include <tapestry/deeplearning/operations/layout/reshape.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(std::same_as<decltype(reshape(Tensor<float>(), {})), Tensor<float>>);
static_assert(std::same_as<decltype(reshape(TensorWeight({}), {})), TensorLayer>);

TEST_CASE("reshape keeps the elements in their order") {
  const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(reshape(x, {3, 2}) == Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK(valueOf(reshape(DoubleTensorLayer(x), {6})) == Tensor<double>({6}, {1, 2, 3, 4, 5, 6}));
}

TEST_CASE("the gradients of reshape are the central differences") {
  checkShapes([](const auto& x) { return reshape(x, {3, 4}); }, {{2, 6}, {12}, {2, 1, 2, 1, 3}});
  checkShapes([](const auto& x) { return reshape(x, {0, 5}); }, {{2, 0}});
  checkShapes([](const auto& x) { return reshape(x, {}); }, {{1, 1}, {}});
}

TEST_CASE("reshape to another size is refused, as soon as the shape is known") {
  const char* const message =
      "tapestry::reshape: the sizes differ, got [2, 3] to [5], expected as many elements";
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  CHECK_THROWS_WITH_AS(reshape(x, {5}), message, ShapeError);
  CHECK(evaluationError(reshape(lateLayer(x), {5})).find("[2, 3] to [5]") != std::string::npos);
}

TEST_CASE("the gradients of reshape are the central differences, for any shapes") {
  checkDraws([](Random& random) {
    const Shape shape = drawShape(random);
    std::vector<std::size_t> extents(shape.begin(), shape.end());
    std::ranges::reverse(extents);
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(random.below(extents.size() + 1)), 1);
    const Shape to(extents);
    return DrawnOperation{[=](const Operands& of) { return reshape(of[0], to); },
                          {random.tensor<double>(shape)}};
  });
}
