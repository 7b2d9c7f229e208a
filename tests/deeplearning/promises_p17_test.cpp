// P17: concurrent passes on shared weights do not mix their deltas, read torn tensors, or lose an update.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/on_threads.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Delivery;
using test::Evaluations;
using test::FakeResources;
using test::Manual;
using test::OtherThread;
using test::outcomeText;

namespace {

bool allEqual(const Tensor<float>& tensor) {
  return std::ranges::all_of(tensor.values(), [&](float value) { return value == tensor.values().front(); });
}

}  // namespace

TEST_CASE("no update of concurrent passes is lost") {
  constexpr int passes = 500;
  const DoubleWeight x(0, sgd(1));
  const DoubleWeight y(0, sgd(1));
  const auto shared = x + 2.0 * y;
  test::onThreads(4, [&](int thread) {
    const auto own = static_cast<double>(thread) * x;
    for (int i = 0; i < passes; ++i) train(shared + own).blockingAwait();
  });
  CHECK(x.data() == -passes * (4 + 0 + 1 + 2 + 3));
  CHECK(y.data() == -passes * 4 * 2);
}

TEST_CASE("no update of concurrent passes on pools is lost") {
  ThreadPool pool(2);
  const DoubleWeight x(0, sgd(1));
  const DoubleWeight y(0, sgd(1));
  std::vector<DoubleLayer> layers;
  for (int i = 0; i < 20; ++i)
    layers.emplace_back(Do<void>::now().flatMap([x, y] { return forward(x + y); }));
  const auto loss = sum(layers);
  test::onThreads(3, [&](int) {
    for (int i = 0; i < 50; ++i) train(loss).blockingAwait(pool);
  });
  CHECK(x.data() == -3 * 50 * 20);
  CHECK(y.data() == -3 * 50 * 20);
}

TEST_CASE("many passes of one run in parallel each take their step") {
  ThreadPool pool(2);
  const DoubleWeight weight(0, sgd(1));
  std::vector<Do<double>> passes;
  for (int i = 0; i < 200; ++i) passes.push_back(train(weight * 3.0));
  parSequence(passes).blockingAwait(pool);
  CHECK(weight.data() == -600);
}

TEST_CASE("a gradient is not affected by passes beside it") {
  const DoubleWeight weight(2, sgd(0));
  const auto shared = tanh(weight) * weight + weight;
  const auto loss = shared * shared;
  const double expected = gradients(loss).blockingAwait().of(weight);
  std::atomic<int> wrong{0};
  test::onThreads(4, [&](int thread) {
    for (int i = 0; i < 300; ++i) {
      if (thread < 2)
        wrong += gradients(loss).blockingAwait().of(weight) != expected;
      else if (thread == 2)
        train(shared).blockingAwait();
      else
        predict(loss, shared).blockingAwait();
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("predict beside train sees each weight whole") {
  const TensorWeight weight(Tensor<float>::zeros({1000}), sgd(1));
  const auto loss = sum(weight);
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::thread reader([&] {
    while (!done) torn += !allEqual(predict(weight).blockingAwait()) + !allEqual(weight.data());
  });
  test::onThreads(2, [&](int) {
    for (int i = 0; i < 500; ++i) train(loss).blockingAwait();
  });
  done = true;
  reader.join();
  CHECK(torn == 0);
  CHECK(weight.data() == Tensor<float>::full({1000}, -1000));
}

TEST_CASE("a pass reads one version of a weight while other passes take steps") {
  const DoubleWeight weight(10, sgd(1));
  Manual<void> until;
  const DoubleLayer late(Do<void>::lift(until.program()).flatMap([weight] { return forward(weight * 1.0); }));
  Delivery<double> delivery;
  predict((weight + late) * 1.0).onComplete(delivery.callback());
  train(weight).blockingAwait();
  weight.setData(5);
  until.take()();
  CHECK(delivery.outcome().get() == 20);
  CHECK(weight.data() == 5);
}

TEST_CASE("a step is added to the current value, not to the value that the pass has read") {
  const DoubleWeight weight(10, sgd(1));
  Manual<void> until;
  const DoubleLayer late(
      Do<void>::lift(until.program()).flatMap([weight] { return forward(weight * weight); }));
  Delivery<double> delivery;
  train(late).onComplete(delivery.callback());
  train(weight).blockingAwait();
  until.take()();
  CHECK(delivery.outcome().get() == 81);
  CHECK(weight.data() == 9 - 18);
}

TEST_CASE("passes that wait for a weight block no thread, and a cancelled pass leaves the queue") {
  const DoubleWeight weight(10, sgd(1));
  Manual<void> until;
  Delivery<void> holder;
  detail::take(weight.node()->stepping, 1, detail::Location())
      .flatMap([&] { return Do<void>::lift(until.program()); })
      .run()
      .onComplete(holder.callback());
  Delivery<double> first;
  Delivery<double> second;
  const StopSource stop;
  train(weight).onComplete(first.callback(), stop.token());
  train(weight * 2.0).onComplete(second.callback());
  CHECK(first.count() + second.count() == 0);
  stop.requestStop();
  CHECK(outcomeText(first.outcome()) == "cancelled");
  CHECK(weight.data() == 10);
  until.take()();
  CHECK(outcomeText(holder.outcome()) == "value");
  CHECK(second.outcome().get() == 20);
  CHECK(weight.data() == 8);
  CHECK(train(weight).blockingAwait() == 8);
}

TEST_CASE("train that is cancelled at any step has changed all weights or none, and later passes work") {
  for (int stopAt = 0; stopAt < 40; ++stopAt) {
    CAPTURE(stopAt);
    FakeResources fake;
    const StopSource stop;
    int steps = 0;
    const auto step = [&] {
      if (steps++ == stopAt) stop.requestStop();
    };
    fake.onEvent = [&](std::size_t) { step(); };
    Evaluations count;
    count.onForward = count.onBackward = step;
    const DoubleWeight x(1, sgd(1));
    const DoubleWeight y(1, sgd(1));
    const DoubleLayer dynamic(fake.make("a").flatMap([&](const auto&) { return forward(count(x) * y); }));
    const auto loss = count(dynamic + count(y)) + x;
    const auto observing =
        Do<void>::delay(step).flatMap([&] { return train(loss, dynamic); }).map([&](const auto& all) {
          step();
          return std::get<0>(all);
        });
    Delivery<double> delivery;
    observing.onComplete(delivery.callback(), stop.token());
    const bool stepped = x.data() == -1;
    CHECK(y.data() == (stepped ? -1 : 1));
    CHECK(x.data() == (stepped ? -1 : 1));
    CHECK(outcomeText(delivery.outcome()) == (stopAt < steps ? "cancelled" : "value"));
    if (stopAt + 1 < steps) CHECK(!stepped);
    CHECK(fake.open() == 0);
    CHECK(fake.faults().empty());
    const double before = x.data();
    CHECK(train(loss).blockingAwait() == (stepped ? -1 : 3));
    CHECK(x.data() == before - (stepped ? 0 : 2));
  }
}

TEST_CASE("train that is cancelled from another thread has changed all weights or none") {
  ThreadPool pool(2);
  OtherThread other;
  const DoubleWeight x(0, sgd(1));
  const DoubleWeight y(0, sgd(1));
  std::vector<DoubleLayer> layers;
  for (int i = 0; i < 4; ++i) layers.emplace_back(other.hop().flatMap([x, y] { return forward(x + y); }));
  const auto loss = sum(layers);
  for (int round = 0; round < 300; ++round) {
    const StopSource stop;
    Delivery<double> delivery;
    const double before = x.data();
    train(loss).onComplete(delivery.callback(), pool, stop.token());
    for (int i = 0; i < round % 30; ++i) std::this_thread::yield();
    stop.requestStop();
    const bool completes = delivery.outcome().hasValue();
    CHECK(x.data() == y.data());
    if (completes) CHECK(x.data() == before - 4);
  }
  const double before = x.data();
  train(loss).blockingAwait(pool);
  CHECK(x.data() == before - 4);
}

TEST_CASE("a pass within a layer of another pass is a separate pass") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  const auto shared = count(weight * 2.0);
  const DoubleLayer nested(predict(shared).flatMap([shared](double data) { return forward(shared * data); }));
  CHECK(train(nested + shared).blockingAwait() == 42);
  CHECK(count.forwards() == 2);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 3 - (2 * 6 + 2));
}

TEST_CASE("a train within a layer of another train takes its step first") {
  const DoubleWeight weight(3, sgd(1));
  const auto shared = weight * 2.0;
  const DoubleLayer nested(train(shared).flatMap([shared](double data) { return forward(shared * data); }));
  CHECK(train(nested).blockingAwait() == 2 * 1 * 6);
  CHECK(weight.data() == 3 - 2 - 12);
}
