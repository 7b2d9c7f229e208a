#include <tapestry/deeplearning/operations/activation/relu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("relu keeps positive values, makes the rest zero, and no delta passes it at zero") {
  checkElementwise([](const auto& x) { return tapestry::relu(x); },
                   {.exact = {{-2, 0}, {2, 2}, {-1, 0, 0}, {0, 0, 0}, {1, 1, 1}, {-3, 0}},
                    .from = {.low = 0.1, .mirrored = true}});
}
