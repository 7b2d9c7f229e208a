#include "tapestry/continuation/async.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <optional>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::isError;
using test::Large;
using test::Manual;
using test::MoveOnly;

TEST_CASE("a callback that is called inside its own registration completes the run") {
  CHECK(async<int>([](Callback<int> callback) { callback(7); }).blockingAwait() == 7);
  CHECK_NOTHROW(async<void>([](Callback<void> callback) { callback(); }).blockingAwait());
}

TEST_CASE("a callback that is called later completes the run") {
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program().map([](int x) { return x + 1; }).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 1);
  CHECK(delivery.count() == 0);
  manual.take()(41);
  CHECK(delivery.outcome().get() == 42);
}

TEST_CASE("the run continues on the thread that called the callback") {
  Manual<void> manual;
  Delivery<std::thread::id> delivery;
  manual.program().map([] { return std::this_thread::get_id(); }).onComplete(delivery.callback());
  std::thread thread([&] { manual.take()(); });
  const auto id = thread.get_id();
  thread.join();
  CHECK(delivery.outcome().get() == id);
  CHECK(delivery.thread() == id);
}

TEST_CASE("blockingAwait waits for a callback that is called on another thread") {
  std::thread thread;
  const auto program = async<int>([&](Callback<int> callback) {
    thread = std::thread([callback = std::move(callback)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      callback(7);
    });
  });
  CHECK(program.blockingAwait() == 7);
  thread.join();
}

TEST_CASE("the registration is called once in each run and never before") {
  int calls = 0;
  const auto program = async<int>([&](Callback<int> callback) { callback(++calls); });
  const UnitContinuation<int> erased = program;
  CHECK(calls == 0);
  CHECK(erased.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("only the first call of a callback counts") {
  Manual<int> manual;
  Delivery<int> delivery;
  int steps = 0;
  manual.program().map([&](int x) { return ++steps, x; }).onComplete(delivery.callback());
  const auto callback = manual.take();
  const auto copy = callback;
  callback(1);
  callback(2);
  copy(3);
  CHECK(delivery.outcome().get() == 1);
  CHECK(delivery.count() == 1);
  CHECK(steps == 1);
}

TEST_CASE("a callback that is called twice inside its registration completes the run once") {
  Delivery<int> delivery;
  async<int>([](Callback<int> callback) {
    callback(1);
    callback(2);
  }).onComplete(delivery.callback());
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a value that came too late is destroyed") {
  {
    std::optional<Callback<Large>> kept;
    const auto program = async<Large>([&](Callback<Large> callback) {
      callback(Large(1));
      kept = std::move(callback);
    });
    CHECK(program.blockingAwait().value() == 1);
    (*kept)(Large(2));
    CHECK(Counted::live() == 0);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a callback takes a value that cannot be copied") {
  const auto program = async<MoveOnly>([](Callback<MoveOnly> callback) { callback(MoveOnly(3)); });
  CHECK(program.blockingAwait().value() == 3);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a callback that is never called stops the run with BrokenCallback") {
  int steps = 0;
  const auto program = async<int>([](Callback<int>) {}).map([&](int) { return ++steps; });
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  CHECK_THROWS_AS(async<int>([](const Callback<int>&) {}).blockingAwait(), BrokenCallback);
  CHECK_THROWS_AS(async<int>([](auto&&) {}).blockingAwait(), BrokenCallback);
  CHECK(steps == 0);
}

TEST_CASE("a run is stopped when the last copy of its callback dies") {
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program().onComplete(delivery.callback());
  std::optional<Callback<int>> first = manual.take();
  std::optional<Callback<int>> second = first;
  std::optional<Callback<int>> third = std::move(first);
  first.reset();
  second.reset();
  CHECK(delivery.count() == 0);
  third.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
}

TEST_CASE("the last copy of a callback may die on another thread") {
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program().onComplete(delivery.callback());
  std::thread([callback = manual.take()]() mutable {
    const Callback<int> last = std::move(callback);
  }).join();
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK(delivery.count() == 1);
}

TEST_CASE("assigning to a callback drops the callback that it was") {
  Manual<int> manual;
  Delivery<int> first;
  Delivery<int> second;
  manual.program().onComplete(first.callback());
  manual.program().onComplete(second.callback());
  auto callback = manual.take();
  callback = manual.take();
  CHECK(isError<BrokenCallback>(first.outcome().error()));
  CHECK(second.count() == 0);
  callback(2);
  CHECK(second.outcome().get() == 2);
}

TEST_CASE("callbacks that are called or dropped after the run has ended have no effect") {
  std::optional<Callback<int>> kept;
  const auto program = async<int>([&](Callback<int> callback) {
    callback(1);
    kept = std::move(callback);
  });
  CHECK(program.blockingAwait() == 1);
  (*kept)(2);
  std::thread([callback = *kept] { callback(3); }).join();
  kept.reset();
  CHECK(program.blockingAwait() == 1);
}

TEST_CASE("one of many racing calls is delivered") {
  constexpr int rounds = 10'000;
  constexpr int threads = 4;
  std::optional<Callback<Counted>> shared;
  std::atomic<int> deliveries{0};
  std::atomic<int> wrong{0};
  const auto begin = [&]() noexcept {
    async<Counted>([&](Callback<Counted> callback) {
      shared = std::move(callback);
    }).map([](Counted counted) {
        return counted;
      }).onComplete([&](Outcome<Counted> outcome) {
      ++deliveries;
      if (!outcome.hasValue() || outcome.get().value() < 1 || outcome.get().value() > threads) ++wrong;
    });
  };
  std::barrier ready(threads, begin);
  const auto race = [&](int id) {
    for (int i = 0; i < rounds; ++i) {
      ready.arrive_and_wait();
      const auto callback = *shared;
      callback(Counted(id));
    }
  };
  {
    std::vector<std::jthread> racers;
    for (int id = 1; id <= threads; ++id) racers.emplace_back(race, id);
  }
  shared.reset();
  CHECK(deliveries == rounds);
  CHECK(wrong == 0);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a call that races with the end of the registration completes the run") {
  constexpr int rounds = 10'000;
  std::optional<Callback<int>> mailbox;
  std::atomic<bool> full{false};
  std::jthread caller([&] {
    for (int i = 0; i < rounds; ++i) {
      while (!full) std::this_thread::yield();
      const Callback<int> callback = *std::exchange(mailbox, std::nullopt);
      full = false;
      callback(i);
    }
  });
  const auto program = async<int>([&](Callback<int> callback) {
    mailbox = std::move(callback);
    full = true;
  });
  int right = 0;
  for (int i = 0; i < rounds; ++i) right += program.blockingAwait() == i;
  CHECK(right == rounds);
}

TEST_CASE("dropping the last copies on several threads stops the run once") {
  constexpr int rounds = 10'000;
  constexpr std::size_t threads = 4;
  std::vector<std::optional<Callback<int>>> copies(threads);
  std::atomic<int> broken{0};
  const auto begin = [&]() noexcept {
    async<int>([&](const Callback<int>& callback) {
      copies.assign(threads, callback);
    }).onComplete([&](Outcome<int> outcome) { broken += isError<BrokenCallback>(outcome.error()); });
  };
  std::barrier ready(threads, begin);
  {
    std::vector<std::jthread> droppers;
    for (std::size_t id = 0; id < threads; ++id)
      droppers.emplace_back([&, id] {
        for (int i = 0; i < rounds; ++i) {
          ready.arrive_and_wait();
          copies[id].reset();
        }
      });
  }
  CHECK(broken == rounds);
}
