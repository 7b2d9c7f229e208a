#include <tapestry/deeplearning/running_average.hpp>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/error_text.hpp"
#include "support/networks/setting_rule.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/deeplearning/with_pass.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Average = RunningAverage<Tensor<double>>;

Tensor<double> single(double value) { return Tensor<double>({1}, {value}); }

/// w, which notes a value when it is evaluated.
DoubleLayer observing(const DoubleWeight& w, const Average& average, double value) {
  return DoubleLayer(average.observe(single(value)).flatMap([w] { return forward(w * 1.0); }));
}

}  // namespace

TEST_CASE("a running average moves towards the mean of a pass's observations, when the weights step") {
  const Average average(single(1), 0.25);
  const DoubleWeight w(1.0, sgd(0.5));
  train(observing(w, average, 5)).blockingAwait();
  CHECK(average.data() == single(0.75 * 1 + 0.25 * 5));
  CHECK(w.data() == 0.5);
  average.setData(single(0));
  train(observing(w, average, 2) + observing(w, average, 6)).blockingAwait();
  CHECK(average.data() == single(0.25 * 4));
}

TEST_CASE("a pass reads one value of a running average, the one from before its own step") {
  const Average average(single(3), 1);
  const auto before = withPass(average.observe(single(8)).flatMap([average] { return average.read(); }));
  CHECK(before.blockingAwait() == single(3));
  CHECK(average.data() == single(8));
}

TEST_CASE("gradients, predict and a pass that fails leave a running average alone") {
  const Average average(single(1));
  const DoubleWeight w(1.0);
  gradients(observing(w, average, 5)).blockingAwait();
  predict(observing(w, average, 5)).blockingAwait();
  const DoubleLayer failing(
      Do<void>::raiseError(std::runtime_error("no data")).flatMap([w] { return forward(w * 1.0); }));
  CHECK(errorOf([&] { train(observing(w, average, 5) + failing).blockingAwait(); }) == "no data");
  CHECK(average.data() == single(1));
}

TEST_CASE("an observation is not clipped with the gradients") {
  const Average average(single(0), 1);
  const DoubleWeight w(1.0, sgd(1));
  train(observing(w, average, 1e6), clipByGlobalNorm(0.5)).blockingAwait();
  CHECK(average.data() == single(1e6));
  CHECK(w.data() == 0.5);
}

TEST_CASE("an observation of another shape fails the pass, and nothing changes") {
  const Average average(single(1));
  const DoubleWeight w(1.0);
  const DoubleLayer wrong(
      average.observe(Tensor<double>({2}, {1, 2})).flatMap([w] { return forward(w * 1.0); }));
  CHECK(errorOf([&] { train(wrong).blockingAwait(); }) ==
        "tapestry::RunningAverage::observe: the shape differs, got [2], expected [1]");
  CHECK(w.data() == 1);
}

TEST_CASE("observations whose sum is not finite fail the pass, and nothing changes") {
  const Average average(single(1));
  const DoubleWeight w(1.0);
  const auto problem = [&](double first, double second) {
    const auto loss = observing(w, average, first) + observing(w, average, second);
    return errorOf([&] { train(loss).blockingAwait(); });
  };
  const std::string start =
      "tapestry::train: the sum of the observations of a running average is not finite, got ";
  CHECK(problem(1, std::numeric_limits<double>::infinity()) == start + "inf at [0], expected finite numbers");
  CHECK(problem(std::numeric_limits<double>::quiet_NaN(), 1) ==
        start + "nan at [0], expected finite numbers");
  CHECK(problem(1e308, 1e308) == start + "inf at [0], expected finite numbers");
  CHECK(average.data() == single(1));
  CHECK(w.data() == 1);
  CHECK(problem(2, 4) == "none");
}

TEST_CASE("a running average refuses a momentum beyond 1 and a value of another shape") {
  CHECK_THROWS_AS(Average(single(1), 1.5), std::invalid_argument);
  CHECK_THROWS_AS(Average(single(1)).setData(Tensor<double>({2}, {1, 2})), ShapeError);
}

TEST_CASE("a value that a user sets while a step is prepared stays") {
  const Average average(single(1), 1);
  // steps are prepared in the order of the addresses
  std::vector<DoubleWeight> weights;
  do weights.emplace_back(1.0, SettingRule{[average] { average.setData(single(100)); }});
  while (static_cast<detail::TrainableNode*>(weights.back().node().get()) <
         static_cast<detail::TrainableNode*>(average.node().get()));
  train(observing(weights.back(), average, 5)).blockingAwait();
  CHECK(average.data() == single(100));
}
