#include <tapestry/deeplearning/operations/arithmetic/pow.hpp>

#include "deeplearning/operations/binary.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::Tensor;

TEST_CASE("pow takes scalars, tensors and both, and passes the delta to both operands") {
  checkBroadcast([](const auto& x, const auto& y) { return tapestry::pow(x, y); },
                 {.name = "pow",
                  .x = 9,
                  .y = 0.5,
                  .ofScalars = 3,
                  .row = {2, -1},
                  .withRow = {1, 0.5, 9, 0.25},
                  .scalarRight = {1, 4, 9, 16},
                  .scalarLeft = {2, 4, 8, 16},
                  .left = {.low = 0.5, .high = 2}});
  CHECK(tapestry::pow(2.0, 10.0) == 1024);
}

TEST_CASE("the gradients of pow to integers are the central differences for negative bases too") {
  const auto cube = [](const auto& x) { return tapestry::pow(x, 3.0); };
  checkUnary<double>(cube);
  checkUnary<Tensor<double>>(cube);
  checkUnary<Tensor<double>>([](const auto& x) { return tapestry::pow(x, 2.0); });
  checkUnary<Tensor<double>>([](const auto& x) { return tapestry::pow(x, -2.0); },
                             {.low = 0.5, .mirrored = true});
}

TEST_CASE("the derivatives of pow at a base of zero") {
  const DoubleTensorWeight x(Tensor<double>({4}, {0, 0, 0, -2}));
  const DoubleTensorWeight y(Tensor<double>({4}, {2, 1, 0, 2}));
  const auto exact = gradients(pow(x, y)).blockingAwait();
  CHECK(exact.of(x) == Tensor<double>({4}, {0, 1, 0, -4}));
  const auto ofY = exact.of(y);
  CHECK(ofY(0) == 0);
  CHECK(ofY(1) == 0);
  CHECK(ofY(2) == 0);
  CHECK(std::isnan(ofY(3)));
}

TEST_CASE("the derivative of pow with respect to the exponent is 0 at 0 to the power of 0, of scalars too") {
  const DoubleWeight x(0);
  const DoubleWeight y(0);
  const auto exact = gradients(pow(x, y)).blockingAwait();
  CHECK(exact.of(x) == 0);
  CHECK(exact.of(y) == 0);
}
