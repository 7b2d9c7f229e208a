// Stacks of blocks on fibers, and threads; the rest is in direct_style_threads_test.cpp.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <thread>

#include "support/manual.hpp"
#include "tapestry/continuation/direct.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/thread_pool.hpp"

using namespace tapestry;
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
