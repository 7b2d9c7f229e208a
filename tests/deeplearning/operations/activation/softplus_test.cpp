#include <tapestry/deeplearning/operations/activation/softplus.hpp>

#include <numbers>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("softplus is the logarithm of one more than the exponential, finite far from zero") {
  checkElementwise([](const auto& x) { return tapestry::softplus(x); },
                   {.exact = {{0, std::numbers::ln2, 0.5}, {-1e4, 0, 0}, {1e4, 1e4, 1}},
                    .near = {{1, 1.3132616875182228}, {-1, 0.31326168751822286}, {2, 2.1269280110429727}}});
}
