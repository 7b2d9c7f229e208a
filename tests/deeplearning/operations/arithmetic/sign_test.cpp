#include <tapestry/deeplearning/operations/arithmetic/sign.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorWeight;
using tapestry::Tensor;

TEST_CASE("sign is minus one, zero or one, and its derivative zero, also at zero") {
  checkElementwise([](const auto& x) { return tapestry::sign(x); }, {.exact = {{-2.5, -1},
                                                                               {3, 1},
                                                                               {-1, -1, 0},
                                                                               {0, 0, 0},
                                                                               {1, 1, 0},
                                                                               {2, 1, 0},
                                                                               {-3, -1},
                                                                               {notANumber, notANumber}},
                                                                     .from = {.low = 0.1, .mirrored = true}});
}

TEST_CASE("sign passes its value to the derivative of a product with it") {
  const DoubleTensorWeight w(Tensor<double>({3}, {-1, 0, 1}));
  CHECK(gradients(sign(w) * w).blockingAwait().of(w) == Tensor<double>({3}, {-1, 0, 1}));
}
