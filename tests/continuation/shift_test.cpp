#include "tapestry/continuation/shift.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "support/programs/delivery.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/environment.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"

using namespace tapestry;
using test::Delivery;
using test::QueueExecutor;

namespace {

auto threadOfRun() {
  return delay([] { return std::this_thread::get_id(); });
}

}  // namespace

TEST_CASE("a run that shifts continues on the executor") {
  QueueExecutor queue;
  Delivery<int> delivery;
  shift(queue).map([] { return 1; }).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  queue.work();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a run that shifts to a pool continues on a thread of the pool") {
  ThreadPool pool(1);
  const auto worker = execute(pool, [] { return std::this_thread::get_id(); }).blockingAwait();
  CHECK(worker != std::this_thread::get_id());
  const auto stays = shift(pool).flatMap([] { return now(1); }).flatMap([](int) { return threadOfRun(); });
  CHECK(stays.blockingAwait() == worker);
}

TEST_CASE("a run comes back to the executor that it shifted to after a join") {
  ThreadPool pool(1);
  ThreadPool other(1);
  const auto worker = execute(pool, [] { return std::this_thread::get_id(); }).blockingAwait();
  const auto program = shift(pool)
                           .flatMap([&] { return tuple2(parallel(execute(other, [] {})), parallel(now(1))); })
                           .flatMap([](auto) { return threadOfRun(); });
  CHECK(program.blockingAwait() == worker);
}

TEST_CASE("execute calls its function on the executor in every run") {
  QueueExecutor queue;
  int calls = 0;
  const auto program = execute(queue, [&] { return ++calls; });
  for (int i = 1; i <= 2; ++i) {
    Delivery<int> delivery;
    program.onComplete(delivery.callback());
    CHECK(calls == i - 1);
    queue.work();
    CHECK(delivery.outcome().get() == i);
  }
}

TEST_CASE("a run that shifted in a mask or local is afterwards where its joins come back to") {
  struct Slot {
    using Type = int;
    static int initial() { return 0; }
  };
  ThreadPool pool(1);
  ThreadPool other(1);
  const auto join = tuple2(parallel(execute(other, [] {})), parallel(now()));
  const auto stays = [&](auto shifting) {
    return std::move(shifting)
        .flatMap([] { return threadOfRun(); })
        .flatMap([join](std::thread::id before) {
          return join.flatMap([](auto) { return threadOfRun(); }).map([before](auto after) {
            return after == before;
          });
        })
        .blockingAwait();
  };
  CHECK(stays(mask(shift(pool))));
  CHECK(stays(local<Slot>(1, shift(pool))));
}

TEST_CASE("a run that shifts to the inlined executor continues on the same thread") {
  CHECK(shift(Executor::inlined()).flatMap([] { return threadOfRun(); }).blockingAwait() ==
        std::this_thread::get_id());
}

TEST_CASE("shifting to and fro yields the value") {
  ThreadPool first(1);
  ThreadPool second(1);
  auto program = UnitContinuation<int>(now(0));
  for (int i = 0; i < 100; ++i)
    program =
        program.flatMap([&, i](int x) { return execute(i % 2 ? first : second, [x] { return x + 1; }); });
  CHECK(program.blockingAwait() == 100);
}
