// P4, P7: a pass that is stopped, by its executor or by a layer, releases all that its layers hold, and is
// stopped alike with and without parallel branches.
#include <doctest/doctest.h>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

/// A layer that holds a resource as long as it is in use.
DoubleLayer holding(FakeResources& fake, const DoubleWeight& weight) {
  return DoubleLayer(fake.make("a").flatMap([weight](const auto&) { return forward(2.0 * weight); }));
}

DoubleLayer waiting(Manual<void>& gate, const DoubleWeight& weight) {
  return DoubleLayer(Do<void>::lift(gate.program()).flatMap([weight] { return forward(3.0 * weight); }));
}

/// A layer that is cancelled when it is evaluated.
DoubleLayer cancelled() {
  return DoubleLayer(direct<Do>([]() -> Tape<double, double> { throw Cancelled(); }));
}

}  // namespace

TEST_CASE("the resources of parallel operands are released if the executor refuses the waiting pass") {
  FakeResources fake;
  Manual<void> gate;
  const DoubleWeight weight(1, sgd(1));
  test::QueueExecutor executor;
  Delivery<double> delivery;
  SUBCASE("the first holds a resource") {
    train(holding(fake, weight) + waiting(gate, weight)).onComplete(delivery.callback(), executor);
  }
  SUBCASE("the last holds a resource") {
    train(waiting(gate, weight) + holding(fake, weight)).onComplete(delivery.callback(), executor);
  }
  SUBCASE("one operand waits for the other") {
    const auto shared = waiting(gate, weight);
    train(holding(fake, weight) + (shared + shared) * (shared + 1.0))
        .onComplete(delivery.callback(), executor);
  }
  executor.work();
  executor.stop();
  gate.take()();
  CHECK(outcomeText(delivery.outcome()) == ExecutorStopped().what());
  CHECK(fake.log() == "+a -a");
  CHECK(fake.faults().empty());
  CHECK(weight.data() == 1);
  CHECK(train(holding(fake, weight)).blockingAwait() == 2);
  CHECK(weight.data() == -1);
}

TEST_CASE("a pass that waits for a node which another run opens, and is refused, leaves that node's queue") {
  Manual<void> gate;
  const DoubleWeight weight(1, sgd(1));
  const auto shared = waiting(gate, weight);
  test::QueueExecutor executor;
  Delivery<double> delivery;
  const auto refused = Do<void>::execute(executor, [] {}).flatMap([shared] { return forward(shared); });
  const auto both = tuple2(parallel(forward(shared)), parallel(refused)).map([](const auto& tapes) {
    return std::get<0>(tapes).data;
  });
  const StopSource stop;
  withPass(both).onComplete(delivery.callback(), stop.token());
  executor.work();
  executor.stop();
  gate.take()();
  CHECK(outcomeText(delivery.outcome()) == ExecutorStopped().what());
  stop.requestStop();
  CHECK(weight.data() == 1);
}

TEST_CASE("a layer that is cancelled cancels its pass, and no handler takes that for an error") {
  ThreadPool pool(2);
  const DoubleWeight weight(1, sgd(1));
  int handled = 0;
  const auto observe = [&](const auto& program, auto&... executor) {
    const auto attempted = program.attempt().map([&handled](const auto&) {
      ++handled;
      return 0.0;
    });
    Delivery<double> delivery;
    attempted.onComplete(delivery.callback(), executor...);
    CHECK(outcomeText(delivery.outcome()) == "cancelled");
  };
  FakeResources fake;
  for (const auto& loss : {cancelled() + weight, cancelled() + holding(fake, weight),
                           holding(fake, weight) * cancelled(), cancelled() * 2.0}) {
    observe(train(loss));
    observe(train(loss), pool);
    observe(predict(loss));
    observe(predict(loss), pool);
  }
  CHECK(handled == 0);
  CHECK(fake.open() == 0);
  CHECK(weight.data() == 1);
}

TEST_CASE("a way back that is cancelled cancels its pass") {
  ThreadPool pool(2);
  const DoubleWeight weight(1, sgd(1));
  const DoubleLayer layer(Do<void>::now().map([] {
    return Tape<double, double>(
        1.0, [](const Do<double>&) { return direct<UnitContinuation>([]() -> void { throw Cancelled(); }); });
  }));
  for (const auto& loss : {layer + weight, (layer + weight) * layer}) {
    Delivery<Try<double>> here;
    train(loss).attempt().onComplete(here.callback());
    CHECK(here.outcome().isCancelled());
    Delivery<Try<double>> onPool;
    train(loss).attempt().onComplete(onPool.callback(), pool);
    CHECK(onPool.outcome().isCancelled());
  }
  CHECK(weight.data() == 1);
}
