#include <tapestry/deeplearning/optimizers/rmsprop.hpp>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/optimizers/adagrad.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("ten steps of rmsprop are those of the formula") {
  checkTable(tables::rmsprop, rmsprop({.learningRate = 0.1, .decay = 0.8, .epsilon = 1e-3}));
}

TEST_CASE("rmsprop refuses a decay that forgets nothing, and an epsilon that is not positive") {
  CHECK(errorOf([] { rmsprop({.decay = 1}); }) ==
        "tapestry::rmsprop: decay is out of range, got 1, expected at least 0 and less than 1");
  CHECK(errorOf([] { rmsprop({.epsilon = -0.5}); }) ==
        "tapestry::rmsprop: epsilon is out of range, got -0.5, expected more than 0");
  CHECK_THROWS_AS(rmsprop({.decay = notANumber}), std::invalid_argument);
}

TEST_CASE("an element without a gradient stays, though a float rounds epsilon to 0") {
  for (const Optimizer<Tensor<float>>& rule : {Optimizer<Tensor<float>>(rmsprop({.epsilon = 1e-46})),
                                               Optimizer<Tensor<float>>(adagrad({.epsilon = 1e-46}))}) {
    const TensorWeight w(Tensor<float>({1}, {2}), rule);
    train(sum(w * 0.0F)).blockingAwait();
    CHECK(w.data()(0) == 2);
  }
}
