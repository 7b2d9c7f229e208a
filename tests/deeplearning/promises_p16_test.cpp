// P16: a train that fails changes no weight and no optimizer's state, whatever it was that failed.
#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "support/programs/fake_resource.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::errorOf;
using test::Evaluations;
using test::FakeResources;

namespace {

/// SGD that fails when it is told to.
struct Moody {
  const bool* fails;

  template <class V>
  struct State {};

  double step(const double& weight, double gradient, State<double>&) const {
    if (*fails) throw std::runtime_error("optimizer");
    return weight - gradient;
  }
};

/// Two weights with momentum, whose state shows in the next step, around a Moody weight.
struct ThreeWeights {
  DoubleLayer loss() const { return first * 1.0 + moody * 1.0 + last * 1.0; }
  bool unchanged() const { return first.data() == 10 && moody.data() == 10 && last.data() == 10; }
  /// The first step of momentum is the gradient, the second one is more.
  bool nextStepIsTheFirst() const {
    train(loss()).blockingAwait();
    return first.data() == 9 && moody.data() == 9 && last.data() == 9;
  }

  bool fails = false;
  DoubleWeight first{10, momentum({.learningRate = 1})};
  DoubleWeight moody{10, Moody{&fails}};
  DoubleWeight last{10, momentum({.learningRate = 1})};
};

void fail(const char* what) { throw std::runtime_error(what); }

/// Sends its delta on to the tape, by a function that gets the delta.
template <class F>
DoubleLayer sendingBack(const DoubleWeight& weight, F function) {
  return DoubleLayer(forward(weight).map([function](const auto& tape) {
    return Tape<double, double>(tape.data,
                                [tape, function](const Do<double>& delta) { return function(tape, delta); });
  }));
}

}  // namespace

TEST_CASE("a forward that fails fails train, and nothing changes") {
  const ThreeWeights weights;
  Evaluations count;
  count.onForward = [] { fail("forward"); };
  CHECK(errorOf([&] { train(weights.loss() + count(weights.first)).blockingAwait(); }) == "forward");
  CHECK(errorOf([&] { train(count(weights.first) + weights.loss()).blockingAwait(); }) == "forward");
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a program that fails fails the layers on it, and nothing changes") {
  const ThreeWeights weights;
  const DoubleLayer broken(Do<Tape<double, double>>::raiseError(std::runtime_error("program")));
  CHECK(errorOf([&] { train(weights.loss() + broken * 2.0 + broken).blockingAwait(); }) == "program");
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a derivative that fails fails train, and nothing changes") {
  const ThreeWeights weights;
  Evaluations count;
  count.onBackward = [] { fail("derivative"); };
  CHECK(errorOf([&] { train(weights.loss() + count(weights.last)).blockingAwait(); }) == "derivative");
  CHECK(errorOf([&] { gradients(weights.loss() + count(weights.last)).blockingAwait(); }) == "derivative");
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("an optimizer that fails for one of several weights fails train, and nothing changes") {
  ThreadPool pool(2);
  ThreeWeights weights;
  weights.fails = true;
  CHECK(errorOf([&] { train(weights.loss()).blockingAwait(); }) == "optimizer");
  CHECK(errorOf([&] { train(weights.loss()).blockingAwait(pool); }) == "optimizer");
  CHECK(weights.unchanged());
  weights.fails = false;
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a release within a dynamic layer that fails fails train, and nothing changes") {
  FakeResources fake;
  const ThreeWeights weights;
  const DoubleLayer layer(
      fake.failingRelease("a").flatMap([&](const auto&) { return forward(weights.first); }));
  CHECK(errorOf([&] { train(weights.loss() + layer).blockingAwait(); }) == "release a");
  CHECK(errorOf([&] { gradients(weights.loss() + layer).blockingAwait(); }) == "release a");
  CHECK(errorOf([&] { predict(weights.loss() + layer).blockingAwait(); }) == "release a");
  CHECK(fake.open() == 0);
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a delta that fails fails train, and nothing changes") {
  const ThreeWeights weights;
  const auto layer = sendingBack(weights.first, [](const auto& tape, const Do<double>& delta) {
    return tape.backward(delta.map([](double) -> double { throw std::runtime_error("delta"); }));
  });
  CHECK(errorOf([&] { train(weights.loss() + layer).blockingAwait(); }) == "delta");
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a way back of the user's own that throws fails train, and nothing changes") {
  const ThreeWeights weights;
  const auto layer = sendingBack(weights.first, [](const auto& tape, const Do<double>& delta) {
    fail("backward");
    return tape.backward(delta);
  });
  CHECK(errorOf([&] { train(weights.loss() + layer).blockingAwait(); }) == "backward");
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a way back of the user's own that never completes fails train, and nothing changes") {
  const ThreeWeights weights;
  const auto layer = sendingBack(weights.first, [](const auto&, const Do<double>&) {
    return UnitContinuation<void>(async<void>([](const Callback<void>&) {}));
  });
  CHECK(errorOf([&] { train(weights.loss() + layer).blockingAwait(); }) == BrokenCallback().what());
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("resources of dynamic layers are released when another layer fails") {
  FakeResources fake;
  const ThreeWeights weights;
  Evaluations failing;
  const auto holding = [&](const char* name) {
    return DoubleLayer(fake.make(name).flatMap([&](const auto&) { return forward(weights.first * 2.0); }));
  };
  const auto layer = (holding("a") + holding("b")) * (failing(holding("c")) + holding("d"));
  failing.onForward = [] { fail("forward"); };
  CHECK(errorOf([&] { train(layer).blockingAwait(); }) == "forward");
  CHECK(errorOf([&] { predict(layer).blockingAwait(); }) == "forward");
  CHECK(fake.open() == 0);
  failing.onForward = [] {};
  failing.onBackward = [] { fail("derivative"); };
  CHECK(errorOf([&] { train(layer).blockingAwait(); }) == "derivative");
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
  CHECK(weights.unchanged());
}

TEST_CASE("train reports the first of two failures, and nothing changes") {
  ThreeWeights weights;
  Evaluations first;
  Evaluations second;
  second.onForward = [] { fail("forward"); };
  first.onBackward = second.onBackward = [] { fail("derivative"); };
  CHECK(errorOf([&] { train(weights.loss() + first(second(weights.first))).blockingAwait(); }) == "forward");
  second.onForward = [] {};
  weights.fails = true;
  CHECK(errorOf([&] { train(first(weights.loss()) + second(weights.first)).blockingAwait(); }) ==
        "derivative");
  weights.fails = false;
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("two branches that fail on a pool fail train with the error of one, and nothing changes") {
  ThreadPool pool(2);
  const ThreeWeights weights;
  const auto failing = [&](const char* what) {
    return DoubleLayer(
        Do<void>::delay([what] { fail(what); }).flatMap([&] { return forward(weights.first); }));
  };
  for (int round = 0; round < 50; ++round) {
    const auto loss = (failing("left") + weights.loss()) + failing("right");
    CHECK(errorOf([&] { train(loss).blockingAwait(pool); }) == "left");
  }
  CHECK(weights.unchanged());
  CHECK(weights.nextStepIsTheFirst());
}

TEST_CASE("a program that handles the error of a layer continues, and its steps are taken") {
  const DoubleWeight weight(10, sgd(1));
  const DoubleLayer broken(Do<Tape<double, double>>::raiseError(std::runtime_error("program")));
  const DoubleLayer handled(
      forward(broken + weight).handleError([weight](const auto&) { return forward(weight * 2.0); }));
  CHECK(train(handled).blockingAwait() == 20);
  CHECK(weight.data() == 8);
}

TEST_CASE("a gradient that is not finite, of a loss that is, fails train, and nothing changes") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto problem = [](const auto& loss) { return errorOf([&] { train(loss).blockingAwait(); }); };
  const DoubleWeight good(4, momentum({}));
  const std::string start = "tapestry::train: the gradient of a weight is not finite, got ";
  const std::string end = " (checkFinite names the operation that made it)";
  const DoubleWeight w(0);
  CHECK(problem(sqrt(w) + good) == start + "inf, expected a finite number" + end);
  CHECK(w.data() == 0);
  CHECK(good.data() == 4);
  const DoubleTensorWeight v(Tensor<double>({3}, {1, 0, 4}), adam());
  CHECK(problem(sum(sqrt(v)) + good) == start + "inf at [1], expected finite numbers" + end);
  CHECK(v.data() == Tensor<double>({3}, {1, 0, 4}));
  CHECK(good.data() == 4);
  const DoubleWeight racing(0, sgd(0.1), hogwild);
  CHECK(problem(sqrt(racing)).starts_with(start));
  CHECK(racing.data() == 0);
  // a product of matrices, which stays symbolic until the step, and overflows in the step alone
  const DoubleTensorWeight m(Tensor<double>::zeros({1, 2}));
  const auto x = Tensor<double>({2, 1}, {1e200, 1e200});
  CHECK(problem(sum(matmul(x, m) * 1e200)) == start + "inf at [0, 0], expected finite numbers" + end);
  CHECK(m.data() == Tensor<double>::zeros({1, 2}));
  // factors whose bound overflows, though the product does not
  const auto apart = Tensor<double>({2, 1}, {1e200, 0});
  const Tensor<double> factors({2, 2}, {1, 1, 1e200, 1e200});
  train(sum(matmul(apart, m) * factors)).blockingAwait();
  CHECK(m.data()(0, 0) == doctest::Approx(-1e198));
  CHECK(problem(sum(matmul(Tensor<double>({1, 1}, {inf}), m * 0.0))) != "none");
}
