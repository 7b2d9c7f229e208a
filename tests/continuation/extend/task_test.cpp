// An executor of one's own.
#include "tapestry/continuation/extend/task.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "tapestry/continuation.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;

namespace {

/// Executes its tasks in turn when it is told to; until it is closed, when it refuses those that it has.
class HandExecutor final : public Executor {
 public:
  ~HandExecutor() = default;
  bool post(extend::Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    task.nextTask = nullptr;
    (last_ ? last_->nextTask : first_) = &task;
    last_ = &task;
    return true;
  }
  bool isHere() const noexcept override { return here == this; }

  /// How many tasks it has executed.
  int turn() {
    int tasks = 0;
    const HandExecutor* const before = std::exchange(here, this);
    for (extend::Task* task = takeAll(); task; ++tasks) extend::drive(*std::exchange(task, task->nextTask));
    here = before;
    return tasks;
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    for (extend::Task* task = takeAll(); task;) std::exchange(task, task->nextTask)->refuse();
  }

 private:
  extend::Task* takeAll() {
    const std::lock_guard lock(mutex_);
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

  static inline thread_local const HandExecutor* here = nullptr;
  std::mutex mutex_;
  extend::Task* first_ = nullptr;
  extend::Task* last_ = nullptr;
  bool closed_ = false;
};

}  // namespace

TEST_CASE("a run moves to a user-defined executor") {
  HandExecutor executor;
  bool there = false, ended = false;
  on(executor, delay([&] { there = executor.isHere(); })).onComplete([&](const Outcome<void>& outcome) {
    ended = outcome.hasValue();
  });
  CHECK(!there);
  CHECK(executor.turn() == 1);
  CHECK(there);
  CHECK(ended);
}

TEST_CASE("runs on a user-defined executor are executed in the order of their posts") {
  HandExecutor executor;
  std::string order;
  for (const char name : {'a', 'b', 'c'})
    shift(executor).map([&order, name] { order += name; }).onComplete([](const Outcome<void>&) {});
  CHECK(order.empty());
  CHECK(executor.turn() == 3);
  CHECK(order == "abc");
}

TEST_CASE("a run that waits continues on the user-defined executor that it was on") {
  HandExecutor executor;
  testing::VirtualClock clock;
  bool there = false;
  withClock(clock, sleepFor(std::chrono::seconds(1)))
      .map([&] { there = executor.isHere(); })
      .onComplete([](const Outcome<void>&) {}, executor);
  while (executor.turn()) {
  }
  clock.advance(std::chrono::seconds(1));
  CHECK(!there);
  CHECK(executor.turn() == 1);
  CHECK(there);
}

TEST_CASE("a user-defined executor that refuses a task stops its run with ExecutorStopped") {
  HandExecutor executor;
  Outcome<void> outcome = Outcome<void>::cancelled();
  shift(executor).onComplete([&](Outcome<void> given) { outcome = std::move(given); });
  executor.close();
  REQUIRE(outcome.hasError());
  CHECK_THROWS_AS(std::rethrow_exception(outcome.error()), ExecutorStopped);
  CHECK_THROWS_AS(shift(executor).blockingAwait(), ExecutorStopped);
}

TEST_CASE("runs move to a user-defined executor from several threads") {
  constexpr int runs = 1000;
  HandExecutor executor;
  int sum = 0;
  const auto start = [&] {
    for (int i = 0; i < runs; ++i)
      shift(executor).map([&sum] { ++sum; }).onComplete([](const Outcome<void>&) {});
  };
  std::thread first(start), second(start);
  int executed = 0;
  for (int turns = 0; turns < 100 && executed < 2 * runs; ++turns) executed += executor.turn();
  first.join();
  second.join();
  executed += executor.turn();
  CHECK(executed == 2 * runs);
  CHECK(sum == 2 * runs);
}
