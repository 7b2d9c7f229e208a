#include <tapestry/deeplearning/operations/split.hpp>

#include "deeplearning/operations/support.hpp"
#include "tapestry/deeplearning/operations/concat.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("split gives equal parts, one after the other") {
  const Tensor<float> x({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto parts = split(x, 2, 2, 1);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0] == Tensor<float>({2, 2}, {0, 1, 4, 5}));
  CHECK(parts[1] == Tensor<float>({2, 2}, {2, 3, 6, 7}));
}

TEST_CASE("the deltas of the parts meet again") {
  checkShapes([](const auto& x) { return concat(split(x, 3, 2, 1), 0); }, {{2, 6}, {1, 6, 2}});
  checkShapes([](const auto& x) { return split(x, 3, 2)[1]; }, {{6}, {6, 2}});
}
