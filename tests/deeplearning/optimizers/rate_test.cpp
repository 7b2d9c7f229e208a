#include <tapestry/deeplearning/optimizers/rate.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/optimizers/adagrad.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/adam_w.hpp"
#include "tapestry/deeplearning/optimizers/l1.hpp"
#include "tapestry/deeplearning/optimizers/l2.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/optimizers/nesterov.hpp"
#include "tapestry/deeplearning/optimizers/rmsprop.hpp"
#include "tapestry/deeplearning/optimizers/weight_decay.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// 1, 2, 3, ...
struct Rising {
  double rate(std::uint64_t step) const { return static_cast<double>(step + 1); }
};

/// 1, and then nothing that is a number.
struct Breaking {
  double rate(std::uint64_t step) const { return step == 0 ? 1 : notANumber; }
};

static_assert(Schedule<Rising> && Schedule<Rate> && !Schedule<double>);
static_assert(std::is_convertible_v<Rising, Rate> && std::is_convertible_v<int, Rate>);
static_assert(!std::is_convertible_v<const char*, Rate>);

/// The changes in three steps of a weight whose gradient is always 1.
std::vector<double> changes(const Optimizer<double>& optimizer) {
  const DoubleWeight w(0, optimizer);
  std::vector<double> all;
  for (int i = 0; i < 3; ++i) {
    const double before = w.data();
    train(w * 1.0).blockingAwait();
    all.push_back(before - w.data());
  }
  return all;
}

}  // namespace

TEST_CASE("a number is the rate of each step") {
  const Rate constant = 0.25;
  CHECK(constant.rate(0) == 0.25);
  CHECK(constant.rate(1'000'000) == 0.25);
  CHECK(Rate(-1).rate(7) == -1);
}

TEST_CASE("each rule takes a schedule for its rate") {
  CHECK(changes(sgd(Rising())) == std::vector<double>{1, 2, 3});
  CHECK(changes(momentum({.learningRate = Rising(), .momentum = 0.5})) == std::vector<double>{1, 3, 5.25});
  CHECK(changes(nesterov({.learningRate = Rising(), .momentum = 0})) == std::vector<double>{1, 2, 3});
  const auto check = [](const std::vector<double>& got, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < 3; ++i) CHECK(got[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  };
  check(changes(adam({.learningRate = Rising()})), {1, 2, 3});
  check(changes(adagrad({.learningRate = Rising()})), {1, 2 / std::sqrt(2), 3 / std::sqrt(3)});
  check(changes(rmsprop({.learningRate = Rising(), .decay = 0})), {1, 2, 3});
}

TEST_CASE("each weight counts its own steps, from when its optimizer was set") {
  const Optimizer<double> optimizer = sgd(Rising());
  const DoubleWeight first(0, optimizer);
  const DoubleWeight second(0, optimizer);
  train(first * 1.0).blockingAwait();
  train(first * 1.0 + second * 1.0).blockingAwait();
  CHECK(first.data() == -3);
  CHECK(second.data() == -1);
  first.setOptimizer(optimizer);
  train(first * 1.0).blockingAwait();
  CHECK(first.data() == -4);
}

TEST_CASE("a step that failed has not been counted") {
  const DoubleWeight counting(0, sgd(Rising()));
  const DoubleWeight breaking(0, sgd(Breaking()));
  train(breaking * 1.0).blockingAwait();
  CHECK(errorOf([&] { train(counting * 1.0 + breaking * 1.0).blockingAwait(); }) ==
        "tapestry::Rate: the schedule's rate is out of range, got nan, expected a finite number");
  CHECK(counting.data() == 0);
  CHECK(breaking.data() == -1);
  train(counting * 1.0).blockingAwait();
  CHECK(counting.data() == -1);
}

TEST_CASE("a rate that is no finite number is refused where it is given") {
  CHECK(errorOf([] { sgd(notANumber); }) ==
        "tapestry::Rate: the rate is out of range, got nan, expected a finite number");
  CHECK_THROWS_AS(adam({.learningRate = infinity}), std::invalid_argument);
}

TEST_CASE("a rate that is not finite as a float fails the step of a float weight, which changes nothing") {
  const auto check = [](const std::string& setting, const Optimizer<float>& optimizer) {
    const FloatWeight w(2, optimizer);
    CHECK(errorOf([&] { train(w * 0.0F).blockingAwait(); }) ==
          "tapestry::" + setting + " is out of range, got 1e+39, expected a finite float");
    CHECK(w.data() == 2);
  };
  check("sgd: the learning rate", sgd(1e39));
  check("momentum: the learning rate", momentum({.learningRate = 1e39}));
  check("nesterov: the learning rate", nesterov({.learningRate = 1e39}));
  check("adam: the learning rate", adam({.learningRate = 1e39}));
  check("adamW: weightDecay", adamW({.weightDecay = 1e39}));
  check("adagrad: the learning rate", adagrad({.learningRate = 1e39}));
  check("rmsprop: the learning rate", rmsprop({.learningRate = 1e39}));
  check("weightDecay: the decay", chain(weightDecay(1e39), sgd(1)));
  check("l1: the factor", chain(l1(1e39), sgd(1)));
  check("l2: the factor", chain(l2(1e39), sgd(1)));
  const TensorWeight tensor(Tensor<float>({1}, {2}), sgd(1e39));
  CHECK(errorOf([&] { train(sum(tensor * 0.0F)).blockingAwait(); }) ==
        "tapestry::sgd: the learning rate is out of range, got 1e+39, expected a finite float");
  const DoubleWeight wide(2, sgd(1e39));
  train(wide * 0.0).blockingAwait();
  CHECK(wide.data() == 2);
}
