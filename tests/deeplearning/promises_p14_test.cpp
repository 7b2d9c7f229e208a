// P14: in one pass each node runs forward once and backward once, and only deltas that can matter are
// computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/networks/send_back.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Evaluations;
using test::sendBack;

namespace {

DoubleLayer diamonds(const Evaluations& count, const DoubleWeight& weight, int depth) {
  DoubleLayer layer = count(weight);
  for (int i = 0; i < depth; ++i) layer = count(layer + layer) * 0.5;
  return layer;
}

/// Made anew in each pass, of a program.
DoubleLayer dynamic(const DoubleLayer& layer) {
  return DoubleLayer(Do<void>::now().flatMap([layer] { return forward(layer); }));
}

}  // namespace

TEST_CASE("a node with many consumers runs forward once and backward once in train") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  const auto shared = count(weight);
  CHECK(train(shared + shared * shared + (shared - shared)).blockingAwait() == 12);
  CHECK(count.forwards() == 1);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 3 - (1 + 2 * 3));
}

TEST_CASE("diamonds of any depth cost one evaluation a node in train, gradients and predict") {
  for (const int depth : {10, 100, 10'000}) {
    const DoubleWeight weight(2, sgd(1));
    Evaluations count;
    const auto layer = diamonds(count, weight, depth);
    CHECK(predict(layer).blockingAwait() == 2);
    CHECK(count.forwards() == depth + 1);
    CHECK(count.backwards() == 0);
    count.reset();
    CHECK(gradients(layer).blockingAwait().of(weight) == 1);
    CHECK(count.forwards() == depth + 1);
    CHECK(count.backwards() == depth + 1);
    count.reset();
    CHECK(train(layer).blockingAwait() == 2);
    CHECK(count.forwards() == depth + 1);
    CHECK(count.backwards() == depth + 1);
    CHECK(weight.data() == 1);
  }
}

TEST_CASE("diamonds of any depth cost one evaluation a node on a pool") {
  ThreadPool pool(2);
  const DoubleWeight weight(2, sgd(1));
  Evaluations count;
  CHECK(train(diamonds(count, weight, 10'000)).blockingAwait(pool) == 2);
  CHECK(count.forwards() == 10'001);
  CHECK(count.backwards() == 10'001);
}

TEST_CASE("a diamond of dynamic layers is evaluated once a layer") {
  const DoubleWeight weight(2, sgd(1));
  Evaluations count;
  DoubleLayer layer = count(weight);
  for (int i = 0; i < 100; ++i) layer = count(dynamic(layer) + dynamic(layer)) * 0.5;
  CHECK(predict(layer).blockingAwait() == 2);
  CHECK(count.forwards() == 101);
  count.reset();
  CHECK(train(layer).blockingAwait() == 2);
  CHECK(count.forwards() == 101);
  CHECK(count.backwards() == 101);
  CHECK(weight.data() == 1);
}

TEST_CASE("branches on several threads that use the same layers at once have all data and send all deltas") {
  ThreadPool pool(3);
  const DoubleWeight weight(2, sgd(1));
  const auto program = [](const DoubleLayer& layer) { return dynamic(layer * 1.0); };
  for (int round = 0; round < 300; ++round) {
    Evaluations count;
    // only their consumers keep `twice` and `three`, and `three` gets no deltas
    const auto loss = [&] {
      const auto twice = count(weight) * 2.0;
      const auto three = count(DoubleLayer(1.5) * 2.0);
      return program(twice * three + weight) + program(three + twice) + program(three * weight);
    }();
    CHECK(predict(loss).blockingAwait(pool) == 12 + 2 + 3 + 4 + 6);
    CHECK(count.forwards() == 2);
    CHECK(gradients(loss).blockingAwait(pool).of(weight) == 6 + 1 + 2 + 3);
    CHECK(count.forwards() == 4);
    CHECK(count.backwards() == 1);
  }
}

TEST_CASE("a consumer that comes after the tape of an earlier one was released finds the same evaluation") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  const auto shared = count(weight);
  const auto above = count(shared * 2.0);
  const auto program = sendBack(shared).run().flatMap([above](double) { return sendBack(above).run(); });
  CHECK(withPass(program.flatMap([shared](double) { return sendBack(shared); })).blockingAwait() == 3);
  CHECK(count.forwards() == 2);
  CHECK(count.backwards() == 2);
  CHECK(weight.data() == 3 - (1 + 2 + 1));
}

TEST_CASE("late consumers of every node of a chain are found in any order") {
  for (const bool upwards : {true, false}) {
    const DoubleWeight weight(1, sgd(1));
    const Evaluations count;
    std::vector<DoubleLayer> chain{count(weight)};
    while (chain.size() < 20) chain.push_back(count(chain.back()));
    Do<double> program = Do<double>::now(0);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const auto layer = chain[upwards ? i : chain.size() - 1 - i];
      program = program.flatMap([layer](double) { return sendBack(layer).run(); });
    }
    withPass(program).blockingAwait();
    CHECK(count.forwards() == 20);
    CHECK(count.backwards() == 20);
    CHECK(weight.data() == 1 - 20);
  }
}

TEST_CASE("a late consumer in predict finds the same evaluation") {
  const DoubleWeight weight(3, sgd(1));
  Evaluations count;
  const auto shared = count(weight);
  const DoubleLayer late(forward(shared).run().flatMap([shared](const auto&) {
    return forward(shared * 2.0).run().flatMap([shared](const auto&) { return forward(shared + 1.0); });
  }));
  CHECK(predict(late).blockingAwait() == 4);
  CHECK(count.forwards() == 1);
  count.reset();
  CHECK(train(late).blockingAwait() == 4);
  CHECK(count.forwards() == 1);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 2);
}

TEST_CASE("a pass that overtakes another one on the same graph leaves it its data") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  test::Manual<void> begin;
  test::Manual<void> end;
  const auto after = [weight](test::Manual<void>& manual) {
    return DoubleLayer(Do<void>::lift(manual.program()).flatMap([weight] { return forward(weight); }));
  };
  // only the sum knows the layer with two consumers
  const auto sumOfTwo = [&count](const DoubleLayer& shared) { return count(shared) + count(shared); };
  const auto layer = sumOfTwo(count(after(begin))) + after(end);
  const auto overtake = [&](const Do<double>& program) {
    test::Delivery<double> first;
    test::Delivery<double> second;
    program.onComplete(first.callback());
    program.onComplete(second.callback());
    const auto beginFirst = begin.take();
    begin.take()();
    beginFirst();
    end.take()();
    end.take()();
    CHECK(first.outcome().get() == 9);
    CHECK(second.outcome().get() == 9);
  };
  overtake(predict(layer));
  CHECK(count.forwards() == 6);
  overtake(train(layer));
  CHECK(count.forwards() == 12);
  CHECK(count.backwards() == 6);
  CHECK(weight.data() == 3 - 2 * 3);
}

TEST_CASE("a subgraph without weights computes no deltas") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations literal;
  const Evaluations trainable;
  const auto constant = literal(literal(DoubleLayer(2)) * 5.0);
  CHECK(train(trainable(weight * constant) + constant).blockingAwait() == 40);
  CHECK(literal.forwards() == 2);
  CHECK(literal.backwards() == 0);
  CHECK(trainable.backwards() == 1);
  CHECK(weight.data() == -7);
}

TEST_CASE("a dynamic layer that turns out to depend on no weight computes no deltas") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations literal;
  const auto constant = literal(dynamic(literal(dynamic(DoubleLayer(2.0)))) * 5.0);
  CHECK(train(weight * constant).blockingAwait() == 30);
  CHECK(literal.forwards() == 2);
  CHECK(literal.backwards() == 0);
  CHECK(weight.data() == -7);
}

TEST_CASE("a delta that is given to a literal or in predict is never run") {
  int runs = 0;
  const DoubleWeight weight(3, sgd(1));
  const auto delta = Do<double>::delay([&runs] { return ++runs; });
  const auto giveTo = [delta](const DoubleLayer& layer) {
    return forward(layer).flatMap([delta](const auto& tape) { return Do<void>::lift(tape.backward(delta)); });
  };
  withPass(giveTo(DoubleLayer(1.0))).blockingAwait();
  withPass(giveTo(DoubleLayer(1.0) * 2.0)).blockingAwait();
  const DoubleLayer inPredict(giveTo(weight * 1.0).flatMap([] { return forward(1.0); }));
  predict(inPredict).blockingAwait();
  CHECK(runs == 0);
  withPass(giveTo(weight * 1.0)).blockingAwait();
  CHECK(runs == 1);
  CHECK(weight.data() == 2);
}

TEST_CASE(
    "a layer that two parallel branches share is evaluated by one, and the other waits without blocking") {
  ThreadPool pool(2);
  test::OtherThread other;
  for (int round = 0; round < 50; ++round) {
    const DoubleWeight weight(3, sgd(1));
    const Evaluations count;
    const DoubleLayer slow(other.hop().flatMap([weight, &count] { return forward(count(weight)); }));
    const auto shared = count(slow);
    std::vector<DoubleLayer> branches;
    for (int i = 0; i < 8; ++i) branches.push_back(dynamic(count(shared * 1.0)) + dynamic(shared));
    CHECK(train(sum(branches)).blockingAwait(pool) == 48);
    CHECK(count.forwards() == 10);
    CHECK(count.backwards() == 10);
    CHECK(weight.data() == 3 - 16);
  }
}

TEST_CASE("a wide graph costs the same for each of its layers, on a pool too") {
  ThreadPool pool(2);
  const auto costOfOne = [&](int width) {
    const DoubleWeight weight(1, sgd(1));
    Evaluations count;
    std::vector<DoubleLayer> layers;
    for (int i = 0; i < width; ++i) layers.push_back(count(weight * 1.0));
    const std::clock_t before = std::clock();
    CHECK(train(sum(layers)).blockingAwait(pool) == width);
    CHECK(count.backwards() == width);
    return static_cast<double>(std::clock() - before);
  };
  // the least of three, since other work on the machine makes them longer
  const auto cost = [&](int width) {
    return std::min({costOfOne(width), costOfOne(width), costOfOne(width)});
  };
  const double narrow = cost(5'000);
  // ten times as much; where each step looks at all the others a hundred times
  CHECK(cost(50'000) < 40 * narrow);
}
