// Blocks of direct style on several threads.
#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/delivery.hpp"
#include "support/manual.hpp"
#include "tapestry/continuation/direct.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/thread_pool.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

/// In a function of its own, since compilers take a thread's identity to be constant within a function.
[[gnu::noinline]] std::thread::id thisThread() {
  asm volatile("");
  return std::this_thread::get_id();
}

/// The number of the process's guard pages.
std::size_t guardPages() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    std::size_t dash = 0;
    const auto begin = std::stoull(line, &dash, 16);
    std::size_t space = 0;
    const auto end = std::stoull(line.substr(dash + 1), &space, 16);
    if (end - begin == 4096 && line.compare(dash + 1 + space, 6, " ---p ") == 0) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a block goes on on the thread that completed what it awaited") {
  Manual<void> manual;
  Delivery<bool> delivery;
  const auto main = thisThread();
  std::thread::id other;
  direct<UnitContinuation>([&] {
    const bool before = thisThread() == main;
    !manual.program();
    return before && thisThread() == other;
  }).onComplete(delivery.callback());
  std::thread thread([&] {
    other = thisThread();
    manual.take()();
  });
  thread.join();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a block moves between executors and makes programs on each of their threads") {
  ThreadPool left(1);
  ThreadPool right(1);
  const auto program = direct<UnitContinuation>([&] {
    int sum = 0;
    for (int i = 0; i < 500; ++i) {
      sum += !UnitContinuation<int>(now(1));
      !shift(left);
      const auto there = thisThread();
      sum += !UnitContinuation<int>(now(1));
      !shift(right);
      if (thisThread() == there) throw Cancelled();
    }
    return sum;
  });
  CHECK(program.blockingAwait() == 1000);
}

TEST_CASE("many blocks run on several threads at once and throw meanwhile") {
  ThreadPool pool(4);
  std::atomic<int> handled{0};
  const auto leaf = [&](int i) {
    return direct<UnitContinuation>([&handled, &pool, i] {
      int sum = 0;
      for (int k = 0; k < 20; ++k) {
        try {
          if ((i + k) % 2 == 0) throw std::runtime_error("even");
          sum += !now(1);
        } catch (const std::runtime_error&) {
          !shift(pool);
          ++handled;
        }
      }
      return sum;
    });
  };
  std::vector<Delivery<int>> deliveries(100);
  for (int i = 0; i < 100; ++i) leaf(i).onComplete(deliveries[static_cast<std::size_t>(i)].callback(), pool);
  for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == 10);
  CHECK(handled == 1000);
}

TEST_CASE("the parts of a tuple are shared out to the workers and blocks within them too") {
  ThreadPool pool(3);
  struct Tree {
    static UnitContinuation<int> of(int depth) {
      return direct<UnitContinuation>([depth] {
        if (depth == 0) return 1;
        auto [left, right] = !std::pair(of(depth - 1), of(depth - 1));
        return left + right;
      });
    }
  };
  for (int i = 0; i < 10; ++i) CHECK(Tree::of(6).blockingAwait(pool) == 64);
}

TEST_CASE("one program runs on several threads at once") {
  const auto program = direct<UnitContinuation>([] {
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += !now(1);
    return sum;
  });
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) sum += program.blockingAwait();
    });
  for (auto& thread : threads) thread.join();
  CHECK(sum == 4 * 50 * 100);
}

TEST_CASE("stacks are reused and only a bounded number of free ones is kept") {
  Manual<void> manual;
  const auto program = direct<UnitContinuation>([&] { !manual.program(); });
  const auto suspendAndComplete = [&](int count) {
    int ended = 0;
    for (int i = 0; i < count; ++i) program.onComplete([&](const Outcome<void>&) { ++ended; });
    const auto during = guardPages();
    while (manual.waiting() > 0) manual.take()();
    CHECK(ended == count);
    return during;
  };
  CHECK(suspendAndComplete(2000) >= 2000);
  const auto after = guardPages();
  CHECK(after <= 512 + 32 + 100);
  CHECK(suspendAndComplete(400) == after);
}
