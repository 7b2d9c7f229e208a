#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "support/networks/send_back.hpp"
#include "support/programs/fake_resource.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::errorOf;
using test::Evaluations;
using test::sendBack;

TEST_CASE("withPass yields the program's value, and takes a step of the weights that deltas reached") {
  const DoubleWeight x(3, sgd(1));
  const DoubleWeight y(5, sgd(1));
  const auto program = sendBack(x * 2.0).flatMap([y](double data) {
    return forward(y).map([data](const auto& tape) { return std::to_string(data + tape.data); });
  });
  CHECK(withPass(program).blockingAwait() == std::to_string(11.0));
  CHECK(x.data() == 1);
  CHECK(y.data() == 5);
}

TEST_CASE("withPass runs a program that yields nothing") {
  const DoubleWeight weight(3, sgd(1));
  const Do<void> program = withPass(sendBack(weight).map([](double) {}));
  program.blockingAwait();
  program.blockingAwait();
  CHECK(weight.data() == 1);
}

TEST_CASE("several losses in one pass share their layers and make one step") {
  const DoubleWeight weight(3, momentum({.learningRate = 1, .momentum = 0.5}));
  const Evaluations count;
  const auto shared = count(weight);
  withPass(tuple2(parallel(sendBack(shared * 2.0)), parallel(sendBack(shared * 3.0)))).blockingAwait();
  CHECK(count.forwards() == 1);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == -2);
  withPass(sendBack(shared)).blockingAwait();
  CHECK(weight.data() == -2 - (2.5 + 1));
}

TEST_CASE("a program that fails in its pass changes nothing, and its resources are released") {
  test::FakeResources fake;
  const DoubleWeight weight(3, sgd(1));
  const auto program =
      fake.make("a").flatMap([weight](const auto&) { return sendBack(weight); }).map([](double) {
        throw std::runtime_error("program");
      });
  CHECK(errorOf([&] { withPass(program).blockingAwait(); }) == "program");
  CHECK(fake.log() == "+a -a");
  CHECK(weight.data() == 3);
  CHECK(withPass(sendBack(weight)).blockingAwait() == 3);
  CHECK(weight.data() == 2);
}

TEST_CASE("steps are taken when the pass ends, not before") {
  const DoubleWeight weight(3, sgd(1));
  const auto program = sendBack(weight).run().flatMap([weight](double) {
    CHECK(weight.data() == 3);
    return sendBack(weight).run();
  });
  CHECK(withPass(program).blockingAwait() == 3);
  CHECK(weight.data() == 1);
}
