// One suite for the styles in which programs are written: several threads.
#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/direct_styles.hpp"
#include "support/threads/on_threads.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
using test::Coroutines;
using test::Delivery;
using test::Fibers;
using test::Ints;
using test::Manual;
using test::Monadic;

namespace {

auto threadId() {
  return delay([] { return std::this_thread::get_id(); });
}

/// Yields 1 where the run is on the thread.
Ints isOn(const std::thread::id& thread) {
  return threadId().map([&thread](std::thread::id id) { return id == thread ? 1 : 0; });
}

template <class Style>
Ints tree(int depth) {
  if (depth == 0) return now(1);
  return Style::both(tree<Style>(depth - 1), tree<Style>(depth - 1)).map([](std::tuple<int, int> values) {
    return std::get<0>(values) + std::get<1>(values);
  });
}

/// In a block, so that the parts of its tuple are blocks as well.
template <class Style>
Ints inBlock(Ints program) {
  return Style::sequence(now(0), now(0), std::move(program));
}

/// Each of the blocks throws and handles exceptions, and changes threads meanwhile.
struct Throwing {
  std::atomic<int>& handled;
  Executor& pool;
  int odd;

  Ints operator()(Fibers) const {
    return direct<UnitContinuation>([*this] {
      int sum = 0;
      for (int k = 0; k < 20; ++k) {
        try {
          if ((odd + k) % 2 == 0) throw std::runtime_error("even");
          sum += !now(1);
        } catch (const std::runtime_error&) {
          !shift(pool);
          ++handled;
        }
      }
      return sum;
    });
  }
  Ints operator()(Coroutines) const {
    return direct<UnitContinuation>([*this]() -> Coroutine<int> {
      int sum = 0;
      for (int k = 0; k < 20; ++k) {
        bool even = false;
        try {
          co_await now();
          if ((odd + k) % 2 == 0) throw std::runtime_error("even");
          sum += co_await now(1);
        } catch (const std::runtime_error&) {
          even = true;
        }
        if (!even) continue;
        co_await shift(pool);
        ++handled;
      }
      co_return sum;
    });
  }
};

}  // namespace

TEST_CASE_TEMPLATE("a program continues on the thread that completed its await", Style, Monadic, Fibers,
                   Coroutines) {
  Manual<int> manual;
  Delivery<int> delivery;
  const auto main = std::this_thread::get_id();
  std::thread::id other;
  Style::sequence(isOn(main), manual.program(), isOn(other)).onComplete(delivery.callback());
  std::thread thread([&] {
    other = std::this_thread::get_id();
    manual.take()(0);
  });
  thread.join();
  CHECK(delivery.outcome().get() == 101);
}

TEST_CASE_TEMPLATE("a program moves between executors", Style, Monadic, Fibers, Coroutines) {
  ThreadPool left(1);
  ThreadPool right(1);
  const auto leftId = execute(left, [] { return std::this_thread::get_id(); }).blockingAwait();
  const auto rightId = execute(right, [] { return std::this_thread::get_id(); }).blockingAwait();
  const auto program = Style::sequence(shift(left).flatMap([&] { return isOn(leftId); }), isOn(leftId),
                                       shift(right).flatMap([&] { return isOn(rightId); }));
  CHECK(Style::loop(500, program).blockingAwait() == 500 * 111);
}

TEST_CASE_TEMPLATE("parallel parts are shared out to the workers and blocks within them too", Style, Monadic,
                   Fibers, Coroutines) {
  ThreadPool pool(3);
  for (int i = 0; i < 10; ++i) CHECK(inBlock<Style>(tree<Style>(6)).blockingAwait(pool) == 64);
  // each waits, on its thread, for the other; a worker that is not idle yet takes none, so not every time
  bool shared = false;
  for (int i = 0; i < 100 && !shared; ++i) {
    std::atomic<int> met{0};
    const auto meet = delay([&met] {
      ++met;
      return test::within(std::chrono::milliseconds(100), [&met] { return met == 2; }) ? 1 : 0;
    });
    const auto both = Style::both(inBlock<Style>(meet), inBlock<Style>(meet));
    shared = both.blockingAwait(pool) == std::tuple(1, 1);
  }
  CHECK(shared);
}

TEST_CASE_TEMPLATE("one program runs on several threads at once", Style, Monadic, Fibers, Coroutines) {
  const auto program = Style::loop(100, now(1));
  std::atomic<long> sum{0};
  test::onThreads(4, [&](int) {
    for (int k = 0; k < 50; ++k) sum += program.blockingAwait();
  });
  CHECK(sum == 4 * 50 * 100);
}

TEST_CASE_TEMPLATE("many programs run on several threads at once and are cancelled meanwhile", Style, Monadic,
                   Fibers, Coroutines) {
  ThreadPool pool(3);
  std::atomic<int> begun{0};
  const StopSource source;
  const auto program = Style::forever(shift(pool), delay([&] { ++begun; }));
  std::vector<Delivery<void>> deliveries(100);
  for (auto& delivery : deliveries) program.onComplete(delivery.callback(), pool, source.token());
  while (begun < 1000) std::this_thread::yield();
  source.requestStop();
  for (auto& delivery : deliveries) CHECK(delivery.outcome().isCancelled());
}

TEST_CASE_TEMPLATE("many blocks run on several threads at once and throw meanwhile", Style, Fibers,
                   Coroutines) {
  ThreadPool pool(4);
  std::atomic<int> handled{0};
  std::vector<Delivery<int>> deliveries(100);
  for (std::size_t i = 0; i < 100; ++i)
    Throwing{handled, pool, static_cast<int>(i)}(Style()).onComplete(deliveries[i].callback(), pool);
  for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == 10);
  CHECK(handled == 1000);
}
