#include <tapestry/deeplearning/operations/reduction/argmax.hpp>

#include <limits>

#include "deeplearning/operations/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("argmax finds the first of the largest elements along an axis") {
  const Tensor<float> x({2, 3}, {1, 5, 5, 7, -2, 6});
  CHECK(argmax(x, 1) == Indices{1, 0});
  CHECK(argmax(x, -2) == Indices{1, 0, 1});
  CHECK(argmax(x, 1, true) == Indices({2, 1}, {1, 0}));
  CHECK(argmax(Tensor<double>({2, 2, 2}, {1, 8, 3, 4, 5, 6, 7, 2}), 1) == Indices({2, 2}, {1, 0, 1, 0}));
  CHECK(argmax(Tensor<double>({3}, {-3, -1, -2}), 0) == Indices(Shape(), {1}));
  CHECK(argmax(Tensor<double>::zeros({0, 2}), 1) == Indices({0}, {}));
}

TEST_CASE("argmax finds the first NaN, where max is NaN too") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(argmax(Tensor<double>({2, 3}, {1, nan, 3, nan, 9, nan}), 1) == Indices{1, 0});
}

TEST_CASE("argmax of a layer's value is taken in a program") {
  const TensorLayer layer(Tensor<float>({3}, {1, 9, 2}));
  const auto best = predict(layer).map([](const Tensor<float>& scores) { return argmax(scores, 0); });
  CHECK(best.blockingAwait() == Indices(Shape(), {1}));
}

TEST_CASE("argmax refuses an axis out of range, and one along which there is nothing") {
  CHECK_THROWS_WITH_AS(argmax(Tensor<float>::zeros({2, 0}), -1),
                       "tapestry::argmax: nothing to choose from, got [2, 0] along axis 1, expected an "
                       "extent of at least 1",
                       ShapeError);
  CHECK_THROWS_WITH_AS(argmax(Tensor<float>::zeros({2}), 1),
                       "tapestry::argmax: axis out of range, got axis 1 of [2], expected different axes in "
                       "-1 .. 0",
                       ShapeError);
}
