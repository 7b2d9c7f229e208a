#include <tapestry/deeplearning/training/early_stopping.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

using namespace tapestry;

namespace {

struct Slope {
  DoubleWeight weight = DoubleWeight(0);
  Weights weights() const { return {{"weight", weight}}; }
};

/// Trains for an epoch with each loss, which sets the weight to the number of the epoch, until training ends;
/// returns the weight that is restored.
double restored(const std::vector<double>& losses, EarlyStoppingOptions options, std::size_t epochs) {
  const Slope model;
  EarlyStopping stopping(model.weights(), options);
  bool goesOn = true;
  for (std::size_t i = 0; goesOn && i < losses.size(); ++i) {
    model.weight.setData(static_cast<double>(i));
    goesOn = stopping.goesOn(losses[i]).blockingAwait();
  }
  CHECK(stopping.epochs() == epochs);
  stopping.restore().blockingAwait();
  return model.weight.data();
}

}  // namespace

TEST_CASE("training ends after the epochs of patience without a lower loss, and the best weights come back") {
  CHECK(restored({4, 3, 2, 2.5, 2, 3, 1}, {.patience = 3}, 6) == 2);
  CHECK(restored({4, 5, 3, 5, 2, 5}, {.patience = 2}, 6) == 4);
  CHECK(restored({4, 5}, {.patience = 1}, 2) == 0);
}

TEST_CASE("a loss improves only if it is lower by more than the least difference") {
  CHECK(restored({4, 3.9, 3.8, 3}, {.patience = 2, .least = 0.5}, 3) == 0);
  CHECK(restored({4, 3.4, 3.3, 3.2}, {.patience = 2, .least = 0.5}, 4) == 1);
}

TEST_CASE("NaN is no improvement, and without any improvement the weights stay") {
  const double nan = std::nan("");
  CHECK(restored({2, nan, nan}, {.patience = 2}, 3) == 0);
  CHECK(restored({nan, std::numeric_limits<double>::infinity(), nan}, {.patience = 5}, 3) == 2);
}

TEST_CASE("weights of the lowest loss come back also where they are not finite") {
  const Slope model;
  EarlyStopping stopping(model.weights());
  const double unbounded = std::numeric_limits<double>::infinity();
  model.weight.setData(unbounded);
  stopping.goesOn(1).blockingAwait();
  model.weight.setData(2);
  stopping.restore().blockingAwait();
  CHECK(model.weight.data() == unbounded);
}

TEST_CASE("the lowest loss and its epoch are available, and a program that is not run counts nothing") {
  const Slope model;
  EarlyStopping stopping(model.weights());
  CHECK(stopping.lowest() == std::numeric_limits<double>::infinity());
  const Do<bool> epoch = stopping.goesOn(1);
  CHECK(stopping.epochs() == 0);
  CHECK(epoch.blockingAwait());
  CHECK(stopping.goesOn(2).blockingAwait());
  CHECK(stopping.lowest() == 1);
  CHECK(stopping.best() == 0);
  CHECK(stopping.epochs() == 2);
}

TEST_CASE("a patience of no epochs is refused") {
  CHECK_THROWS_AS(EarlyStopping(Weights(), {.patience = 0}), std::invalid_argument);
}

TEST_CASE("a least difference that is negative or not finite is refused") {
  CHECK_THROWS_WITH_AS(
      EarlyStopping(Weights(), {.least = -0.5}),
      "tapestry::EarlyStopping: least is out of range, got -0.5, expected a finite number of at least 0",
      std::invalid_argument);
  CHECK_THROWS_AS(EarlyStopping(Weights(), {.least = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(EarlyStopping(Weights(), {.least = std::numeric_limits<double>::infinity()}),
                  std::invalid_argument);
}
