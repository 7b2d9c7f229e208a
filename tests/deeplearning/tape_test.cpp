#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::errorOf;
using test::Evaluations;

namespace {

using Scalar = Tape<double, double>;

Do<void> send(const Scalar& tape, const Do<double>& delta) { return Do<void>::lift(tape.backward(delta)); }

const std::string released = "tapestry::Tape::backward: the tape was released, expected use within its scope";

}  // namespace

TEST_CASE("a tape has the data, and sends deltas back to the weight") {
  const DoubleWeight weight(3, sgd(1));
  const auto program = forward(weight).flatMap([](const Scalar& tape) {
    CHECK(tape.data == 3);
    return send(tape, Do<double>::now(1)).map([tape] { CHECK(tape.data == 3); });
  });
  withPass(program).blockingAwait();
  CHECK(weight.data() == 2);
}

TEST_CASE("several deltas of one tape add up") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  const auto layer = count(weight * 2.0);
  withPass(forward(layer).flatMap([](const Scalar& tape) {
    return send(tape, Do<double>::now(1)).flatMap([tape] { return send(tape, Do<double>::now(10)); });
  })).blockingAwait();
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 3 - 22);
}

TEST_CASE("a delta is a program, which may take its time") {
  test::OtherThread other;
  const DoubleWeight weight(3, sgd(1));
  withPass(forward(weight * 2.0).flatMap([&other](const Scalar& tape) {
    return send(tape, other.hop().map([] { return 5.0; }));
  })).blockingAwait();
  CHECK(weight.data() == 3 - 10);
}

TEST_CASE("backward sends a delta each time that it is run") {
  const DoubleWeight weight(3, sgd(1));
  withPass(forward(weight).flatMap([](const Scalar& tape) {
    const auto once = send(tape, Do<double>::now(1));
    return once.flatMap([once] { return once; });
  })).blockingAwait();
  CHECK(weight.data() == 1);
}

TEST_CASE("a delta that fails fails the pass") {
  const DoubleWeight weight(3, sgd(1));
  const auto program = forward(weight).flatMap(
      [](const Scalar& tape) { return send(tape, Do<double>::raiseError(std::runtime_error("delta"))); });
  CHECK(errorOf([&] { withPass(program).blockingAwait(); }) == "delta");
  CHECK(weight.data() == 3);
}

TEST_CASE("a delta to a tape after its release is an error of the pass") {
  const DoubleWeight weight(3, sgd(1));
  const auto delta = Do<double>::now(1);
  const auto afterwards =
      forward(weight * 2.0).run().flatMap([delta](const Scalar& tape) { return send(tape, delta); });
  CHECK(errorOf([&] { withPass(afterwards).blockingAwait(); }) == released);
  const auto prepared = forward(weight)
                            .map([delta](const Scalar& tape) { return send(tape, delta); })
                            .run()
                            .flatMap([](const Do<void>& it) { return it; });
  CHECK(errorOf([&] { withPass(prepared).blockingAwait(); }) == released);
  CHECK(weight.data() == 3);
}

TEST_CASE("a layer of a tape that its program has released is an error of the pass, if a delta comes") {
  const DoubleWeight weight(3, sgd(1));
  const DoubleLayer layer(forward(weight * 2.0).run());
  CHECK(predict(layer).blockingAwait() == 6);
  CHECK(errorOf([&] { train(layer).blockingAwait(); }) == released);
  CHECK(weight.data() == 3);
}

TEST_CASE("a tape that was kept beyond its pass can be asked for its data, and takes no delta") {
  const DoubleWeight weight(3, sgd(1));
  const auto layer = weight * 2.0;
  std::optional<Scalar> slot;
  std::optional<Scalar> other;
  // the second pass meets the nodes while the first has them
  const DoubleLayer outer(forward(layer).flatMap([&](const Scalar& tape) {
    slot = tape;
    return withPass(forward(layer).map([&](const Scalar& inner) {
             other = inner;
             return inner.data;
           }))
        .flatMap([layer](double) { return forward(layer); });
  }));
  CHECK(train(outer).blockingAwait() == 6);
  CHECK(weight.data() == 1);
  CHECK(slot->data == 6);
  CHECK(other->data == 6);
  slot->backward(Do<double>::now(1)).blockingAwait();
  other->backward(Do<double>::now(1)).blockingAwait();
  CHECK(train(layer).blockingAwait() == 2);
  CHECK(weight.data() == -1);
}

TEST_CASE("a tape with a way back of the user's own changes the delta on its way") {
  const DoubleWeight weight(3, sgd(1));
  const DoubleLayer reversed(forward(weight * 2.0).map([](const Scalar& tape) {
    return Scalar(tape.data, [tape](const Do<double>& delta) {
      return tape.backward(delta.map([](double value) { return -value; }));
    });
  }));
  CHECK(train(reversed).blockingAwait() == 6);
  CHECK(weight.data() == 5);
}

TEST_CASE("a way back of the user's own gets the sum of the deltas once") {
  auto received = std::make_shared<std::vector<double>>();
  const DoubleLayer layer(Do<Scalar>::now(Scalar(2, [received](const Do<double>& delta) {
    return delta.map([received](double value) { received->push_back(value); })
        .run()
        .acquire()
        .map([](const auto&) {});
  })));
  CHECK(train(layer * 3.0 + layer * layer).blockingAwait() == 10);
  CHECK(*received == std::vector<double>{3 + 4});
}

TEST_CASE("a run in a pass that opens a shared tape stops when that is open, for it is opened in the pass") {
  const DoubleWeight weight(3, sgd(1));
  const auto layer = weight * 2.0;
  test::Manual<void> opening;
  const auto shared = Do<void>::lift(opening.program()).flatMap([layer] { return forward(layer); }).shared();
  const StopSource source;
  test::Delivery<double> opener;
  withPass(shared.map([](const Handle<Scalar>& tape) {
    return tape->data;
  })).onComplete(opener.callback(), source.token());
  source.requestStop();
  CHECK(opener.count() == 0);
  opening.take()();
  CHECK(opener.outcome().isCancelled());
}

TEST_CASE("a shared tape may outlast the pass that opened it, and takes no deltas then") {
  const DoubleWeight weight(3, sgd(1));
  const auto layer = weight * 2.0;
  const auto shared = forward(layer).shared();
  test::Manual<void> first;
  test::Manual<void> second;
  const auto after = [&shared](test::Manual<void>& manual) {
    return shared.flatMap([&manual](const Handle<Scalar>& tape) {
      return Do<void>::lift(manual.program()).map([tape] { return tape; });
    });
  };
  test::Delivery<double> opener;
  test::Delivery<double> other;
  withPass(after(first).map([](const Handle<Scalar>& tape) {
    return tape->data;
  })).onComplete(opener.callback());
  withPass(after(second).flatMap([](const Handle<Scalar>& tape) {
    return send(*tape, Do<double>::now(1)).map([tape] { return tape->data; });
  })).onComplete(other.callback());
  first.take()();
  CHECK(opener.outcome().get() == 6);
  SUBCASE("at once") {}
  SUBCASE("when another pass has had the layer") { CHECK(predict(layer).blockingAwait() == 6); }
  second.take()();
  CHECK(other.outcome().get() == 6);
  CHECK(weight.data() == 3);
  CHECK(train(layer).blockingAwait() == 6);
  CHECK(weight.data() == 3 - 2);
}
