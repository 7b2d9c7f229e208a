#include <tapestry/deeplearning/mode.hpp>

#include <doctest/doctest.h>

#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/no_pass.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/deeplearning/with_pass.hpp"

using namespace tapestry;

namespace {

/// 1 while it is trained, else 0.
const DoubleLayer& trainingFlag() {
  static const DoubleLayer flag(
      currentMode().flatMap([](Mode mode) { return forward(DoubleLayer(mode == Mode::train ? 1.0 : 0.0)); }));
  return flag;
}

}  // namespace

TEST_CASE("train, gradients and withPass are in the mode train, and predict in the mode predict") {
  CHECK(train(trainingFlag()).blockingAwait() == 1);
  CHECK(gradients(trainingFlag()).blockingAwait().loss == 1);
  CHECK(withPass(currentMode()).blockingAwait() == Mode::train);
  CHECK(predict(trainingFlag()).blockingAwait() == 0);
}

TEST_CASE("inMode sets the mode of the passes that are opened within it") {
  CHECK(inMode(Mode::train, predict(trainingFlag())).blockingAwait() == 1);
  CHECK(inMode(Mode::predict, gradients(trainingFlag())).blockingAwait().loss == 0);
  CHECK(inMode(Mode::predict, inMode(Mode::train, predict(trainingFlag()))).blockingAwait() == 1);
}

TEST_CASE("outside a pass there is no mode") { CHECK_THROWS_AS(currentMode().blockingAwait(), NoPass); }
