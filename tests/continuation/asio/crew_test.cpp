// Which threads continue the work that workers have begun in blockingAwait: workers and the calling thread.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <ranges>
#include <thread>
#include <tuple>
#include <vector>

#include "support/threads/within.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::within;

namespace {

constexpr auto ages = 10s;

std::thread::id here() { return std::this_thread::get_id(); }

/// f(0) to f(count - 1), side by side.
template <class F>
auto sideBySide(int count, const F& f) {
  return parTraverse(std::views::iota(0, count), static_cast<std::size_t>(count), f);
}

/// Calls the function in each step, without waiting; ends only to tell that it has not been stopped.
template <class F>
auto endless(const F& function) {
  return repeatUntil(delay([function, end = std::chrono::steady_clock::now() + ages] {
                       function();
                       return std::chrono::steady_clock::now() > end;
                     }),
                     [](bool isOver) { return isOver; });
}

/// A pool that keeps the tasks that it is offered, without running them, while `keeping` is set.
class KeepingPool final : public Executor {
 public:
  explicit KeepingPool(unsigned threads) : pool_(threads) {}

  bool post(detail::Task& task) noexcept override { return pool_.post(task); }
  bool isHere() const noexcept override { return pool_.isHere(); }
  bool idle() const noexcept override { return keeping || pool_.idle(); }
  bool offer(detail::Task& task) noexcept override {
    if (!keeping) return pool_.offer(task);
    const std::lock_guard lock(mutex_);
    kept_.push_back(&task);
    return true;
  }

  std::size_t kept() {
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }
  detail::Task& takeKept() {
    const std::lock_guard lock(mutex_);
    detail::Task& task = *kept_.front();
    kept_.pop_front();
    return task;
  }

  std::atomic<bool> keeping{false};

 private:
  std::mutex mutex_;
  std::deque<detail::Task*> kept_;
  ThreadPool pool_;
};

}  // namespace

TEST_CASE("runs that waited for one value are shared out, though one worker has begun them all") {
  ThreadPool pool(1);
  const auto caller = here();
  std::atomic<bool> atWork{false}, callerHasOne{false};
  std::atomic<int> waiting{0};
  const auto value = memoize(delay([&] {
    atWork = true;
    within(ages, [&] { return waiting == 7; });
    std::this_thread::sleep_for(10ms);
    return 1;
  }));
  const auto branch = [&](int i) {
    // the caller has the first branch; the worker begins the others
    if (i == 0) return UnitContinuation<int>(value);
    const auto wait = delay([&] {
      within(ages, [&] { return atWork.load(); });
      ++waiting;
    });
    return UnitContinuation<int>(wait.flatMap([&] { return value; }).map([&](int x) {
      if (here() == caller) callerHasOne = true;
      within(ages, [&] { return callerHasOne.load(); });
      return x;
    }));
  };
  CHECK(sideBySide(8, branch).blockingAwait(pool) == std::vector<int>(8, 1));
  CHECK(callerHasOne);
}

TEST_CASE(
    "the caller runs a branch that a busy worker has accepted, and the worker's ticket finds nothing later") {
  for (const bool refused : {false, true}) {
    KeepingPool pool(1);
    pool.keeping = true;
    std::atomic<int> begun{0};
    const auto branch = delay([&] {
      ++begun;
      return here();
    });
    CHECK(tuple2(parallel(branch), parallel(branch)).blockingAwait(pool) == std::tuple(here(), here()));
    REQUIRE(pool.kept() == 1);
    detail::Task& ticket = pool.takeKept();
    if (refused)
      ticket.refuse();
    else
      detail::drive(ticket);
    CHECK(begun == 2);
  }
}

TEST_CASE("work that a worker has begun does not wait for the task of the calling thread") {
  for (const bool busy : {false, true})
    for (const int waiters : {1, 4}) {
      CAPTURE(busy);
      CAPTURE(waiters);
      ThreadPool pool(1);
      const auto caller = here();
      std::atomic<bool> atWork{false}, isThere{false};
      std::atomic<int> begun{0}, gone{0};
      const auto value = memoize(delay([&] {
        atWork = true;
        within(ages, [&] { return begun == waiters + 1; });
        std::this_thread::sleep_for(10ms);
      }));
      const auto onCaller = value.map([&] {
        isThere = true;
        return here() == caller && within(ages, [&] { return gone == waiters; });
      });
      const auto wait = delay([&] {
        within(ages, [&] { return atWork.load(); });
        ++begun;
      });
      const auto waiting = wait.flatMap([&] { return value; }).map([&] {
        ++gone;
        return here() != caller;
      });
      const auto keepsWorker = delay([&] {
        ++begun;
        return here() != caller && (!busy || within(ages, [&] { return isThere.load(); }));
      });
      const auto branch = [&](int i) {
        return UnitContinuation<bool>(i == 0         ? UnitContinuation<bool>(onCaller)
                                      : i <= waiters ? UnitContinuation<bool>(waiting)
                                                     : UnitContinuation<bool>(keepsWorker));
      };
      CHECK(sideBySide(waiters + 2, branch).blockingAwait(pool) ==
            std::vector<bool>(static_cast<std::size_t>(waiters) + 2, true));
    }
}

TEST_CASE("a run that has chosen the workers continues there") {
  ThreadPool pool(1);
  const auto caller = here();
  std::atomic<bool> atWork{false};
  std::atomic<int> waiting{0};
  const auto value = memoize(delay([&] {
    atWork = true;
    within(ages, [&] { return waiting == 7; });
    std::this_thread::sleep_for(1ms);
  }));
  const auto branch = [&](int i) {
    if (i == 0) return UnitContinuation<bool>(value.map([&] { return here() == caller; }));
    const auto wait = delay([&] {
      within(ages, [&] { return atWork.load(); });
      ++waiting;
    });
    const auto onWorker = wait.flatMap([&] { return value; }).map([&] { return here() != caller; });
    return UnitContinuation<bool>(on(pool, onWorker));
  };
  CHECK(sideBySide(8, branch).blockingAwait(pool) == std::vector<bool>(8, true));
}

TEST_CASE("a run that never waits lets the calling thread, which helps with it, continue its own run") {
  ThreadPool pool(1);
  std::optional<Callback<void>> callback;
  std::atomic<bool> waits{false};
  const auto begunByWorker = async<void>([&](const Callback<void>& given) {
    callback = given;
    waits = true;
  });
  const auto resumesIt = delay([&] {
    within(ages, [&] { return waits.load(); });
    (*callback)();
  });
  const auto winner = race(resumesIt.flatMap([] { return sleepFor(1ms); }), begunByWorker.flatMap([] {
                        return endless([] {});
                      })).blockingAwait(pool);
  CHECK(winner.index() == 0);
}

TEST_CASE("workers that were busy when a branch began that never waits begin the others later") {
  std::latch isBusy(1), mayEnd(1);
  ThreadPool pool(1);
  delay([&] { isBusy.count_down(), mayEnd.wait(); }).onComplete([](const auto&) {}, pool);
  isBusy.wait();
  int steps = 0;
  const auto neverWaits = endless([&] {
    if (++steps == 5000) mayEnd.count_down();
  });
  const auto neverCalledBack = async<void>([](const Callback<void>&) {});
  SUBCASE("the first branch never waits") {
    CHECK(race(neverWaits, delay([] {})).blockingAwait(pool).index() == 1);
  }
  SUBCASE("the first branch waits, the second never does") {
    std::optional<Callback<void>> kept;
    const auto waits = async<void>([&](const Callback<void>& callback) { kept = callback; });
    CHECK(race(waits, neverWaits, delay([] {})).blockingAwait(pool).index() == 2);
  }
  SUBCASE("the first branch of a traversal never waits, the second fails") {
    bool isStopped = true;
    const auto branch = [&](int i) {
      return i == 0 ? UnitContinuation<void>(neverWaits.map([&](auto) { isStopped = false; }))
                    : UnitContinuation<void>(neverCalledBack);
    };
    CHECK_THROWS_AS(sideBySide(2, branch).blockingAwait(pool), BrokenCallback);
    CHECK(isStopped);
  }
}

TEST_CASE("runs that waited for one value all continue, with any number of workers, each once") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    ThreadPool pool(workers);
    for (int round = 0; round < 200; ++round) {
      const auto value = memoize(delay([] {
        std::this_thread::sleep_for(20us);
        return 1;
      }));
      std::atomic<int> gone{0};
      const auto branch = [&](int) { return value.map([&](int) { return ++gone; }); };
      auto order = sideBySide(20, branch).blockingAwait(pool);
      std::ranges::sort(order);
      REQUIRE(std::ranges::equal(order, std::views::iota(1, 21)));
    }
  }
}

TEST_CASE("runs that waited for one value all continue where all of the run is on the pool") {
  ThreadPool pool(2);
  for (int round = 0; round < 200; ++round) {
    const auto value = memoize(delay([] {
      std::this_thread::sleep_for(20us);
      return 1;
    }));
    std::atomic<int> sum{0};
    std::atomic<bool> ended{false};
    sideBySide(20, [&](int) { return value; })
        .onComplete(
            [&](const Outcome<std::vector<int>>& outcome) {
              for (const int x : outcome.get()) sum += x;
              ended = true;
            },
            pool);
    REQUIRE(within(ages, [&] { return ended.load(); }));
    REQUIRE(sum == 20);
  }
}

TEST_CASE("an offer to share woken runs may come to nothing, and be taken up when their run has ended") {
  const auto bothOnCaller = [](bool refused, auto sleep) {
    KeepingPool pool(1);
    const auto caller = here();
    std::atomic<bool> atWork{false};
    std::atomic<int> waiting{0}, onCaller{0};
    const auto value = memoize(delay([&] {
      atWork = true;
      within(ages, [&] { return waiting == 2; });
      std::this_thread::sleep_for(sleep);  // both are about to wait for the value
      pool.keeping = true;
    }));
    const auto wait = delay([&] {
      within(ages, [&] { return atWork.load(); });
      ++waiting;
    });
    const auto branch = wait.flatMap([&] { return value; }).map([&] { onCaller += here() == caller; });
    const auto both = tuple2(parallel(branch), parallel(branch)).map([](const auto&) {});
    tuple2(parallel(value), parallel(both)).blockingAwait(pool);
    const bool offered = pool.kept() > 0;
    while (pool.kept() > 0) {
      detail::Task& ticket = pool.takeKept();
      if (refused)
        ticket.refuse();
      else
        REQUIRE(pool.post(ticket));
    }
    return offered && onCaller == 2;
  };
  for (const bool refused : {false, true}) {
    CAPTURE(refused);
    CHECK((bothOnCaller(refused, 50ms) || bothOnCaller(refused, 500ms) || bothOnCaller(refused, 5s)));
  }
}
