#include "tapestry/deeplearning/no_pass.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::errorOf;

namespace {

const std::string text =
    "tapestry::forward: no pass is open, expected to be run within train, gradients, predict or withPass";

}  // namespace

TEST_CASE("forward outside a pass fails, and evaluates nothing") {
  const test::Evaluations count;
  const DoubleWeight weight(3);
  CHECK_THROWS_AS(forward(weight).blockingAwait(), NoPass);
  CHECK_THROWS_AS(forward(count(weight)).blockingAwait(), NoPass);
  CHECK_THROWS_AS(forward(1.0).blockingAwait(), NoPass);
  CHECK(errorOf([&] { forward(DoubleLayer(forward(weight))).blockingAwait(); }) == text);
  CHECK(count.forwards() == 0);
}

TEST_CASE("a pass ends with its program") {
  const DoubleWeight weight(3);
  const auto program = predict(weight).flatMap([weight](double) { return forward(weight); });
  CHECK_THROWS_AS(program.blockingAwait(), NoPass);
}

TEST_CASE("a run that is started within a pass is not in it") {
  const DoubleWeight weight(3);
  const auto program = Do<void>::delay([weight] { forward(weight).blockingAwait(); });
  CHECK_THROWS_AS(withPass(program).blockingAwait(), NoPass);
}
