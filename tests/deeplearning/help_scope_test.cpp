#include <tapestry/deeplearning/detail/pass/help_scope.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "support/threads/executors.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using tapestry::execute;
using tapestry::forEachPart;
using tapestry::ThreadPool;
using tapestry::detail::HelpScope;
using tapestry::test::within;
using namespace std::chrono_literals;

namespace {

/// Until the worker waits for work, as a new one does soon.
void waitUntilIdle(const ThreadPool& pool) {
  while (!pool.idle()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("parts are shared with a worker that is idle, and all have ended when the call returns") {
  std::vector<std::thread::id> threads(2);
  ThreadPool pool(1);
  waitUntilIdle(pool);
  const HelpScope scope(&pool);
  std::atomic<int> begun = 0;
  forEachPart(2, [&](std::size_t i) noexcept {
    threads[i] = std::this_thread::get_id();
    ++begun;
    within(20s, [&] { return begun == 2; });
  });
  CHECK(begun == 2);
  CHECK(threads[0] != threads[1]);
}

TEST_CASE("a worker that gets idle after the call has begun helps with the remaining parts, from the last") {
  std::vector<std::thread::id> threads(8);
  std::atomic<bool> busy = true;
  std::atomic<int> begun = 0;
  ThreadPool pool(1);
  execute(pool, [&] {
    while (busy) std::this_thread::yield();
  }).onComplete([](const auto&) {});
  const HelpScope scope(&pool);
  forEachPart(threads.size(), [&](std::size_t i) noexcept {
    threads[i] = std::this_thread::get_id();
    if (i == 0) {
      busy = false;
      within(20s, [&] { return pool.idle(); });
    } else {
      ++begun;
      within(20s, [&] { return begun >= 2; });
    }
  });
  const auto own = std::this_thread::get_id();
  CHECK(threads.front() == own);
  CHECK(threads[1] == own);
  CHECK(threads.back() != own);
  CHECK(std::ranges::is_partitioned(threads, [&](std::thread::id id) { return id == own; }));
}

TEST_CASE("each part is run once, and a worker that comes late finds none") {
  ThreadPool pool(1);
  std::vector<int> runs(64);
  for (int round = 1; round <= 200; ++round) {
    {
      const HelpScope scope(&pool);
      forEachPart(runs.size(), [&](std::size_t i) noexcept { ++runs[i]; });
    }
    for (const int count : runs) REQUIRE(count == round);
  }
}

TEST_CASE("without help, and where an offer is refused, the caller runs all parts itself") {
  tapestry::test::BusyWorkers busy;
  for (tapestry::Executor* const workers :
       {static_cast<tapestry::Executor*>(nullptr), static_cast<tapestry::Executor*>(&busy)}) {
    const HelpScope scope(workers);
    int runs = 0;
    forEachPart(5, [&](std::size_t) noexcept { ++runs; });
    CHECK(runs == 5);
  }
  CHECK_FALSE(tapestry::hasHelpers());
}
