// Stacks of blocks on fibers, and threads; the rest is in direct_style_threads_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/manual.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/direct_stacks.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
using test::DirectStacks;
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

TEST_CASE("stacks are reused and only a bounded number of free stacks is kept") {
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

TEST_CASE("free stacks of another size are unmapped when they come up") {
  Manual<void> manual;
  const auto program = direct<UnitContinuation>([&] { !manual.program(); });
  const auto suspend = [&](int count) {
    for (int i = 0; i < count; ++i) program.onComplete([](const Outcome<void>&) {});
    return guardPages();
  };
  const auto complete = [&] {
    while (manual.waiting() > 0) manual.take()();
    return guardPages();
  };
  const auto suspended = suspend(500);
  CHECK(complete() == suspended);
  const DirectStacks stacks(std::size_t{256} * 1024);
  // when a stack is taken
  const auto one = suspend(1);
  CHECK(one <= suspended - 500 + 1);
  const auto many = suspend(100);
  CHECK(many == one + 100);
  // when it is given back
  setDirectStackSize(std::size_t{64} * 1024);
  CHECK(complete() == many - 101);
}

TEST_CASE("deep recursions of blocks on the threads of a pool have stacks of the size that was set last") {
  ThreadPool pool(2);
  const auto onPool = [&](int calls) {
    std::vector<UnitContinuation<std::ptrdiff_t>> blocks(
        100, direct<UnitContinuation>([&, calls] {
          !shift(pool);
          return await(direct<UnitContinuation>([calls] { return test::takeStack(calls); }));
        }));
    std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
    const auto block = [&](std::size_t i) { return blocks[i]; };
    const auto taken =
        parTraverse(std::views::iota(std::size_t{0}, blocks.size()), 100, block).blockingAwait(pool);
    CHECK(taken.size() == 100);
    for (const auto bytes : taken) least = std::min(least, bytes);
    return least;
  };
  onPool(10);  // the threads keep small stacks
  {
    const DirectStacks stacks(std::size_t{8} * 1024 * 1024);
    const auto taken = onPool(2'000);
    if (!test::underAddressSanitizer) CHECK(taken > 2'000 * 1024);
  }
  onPool(10);
}

TEST_CASE("the size of stacks may be set while blocks run on several threads") {
  const auto leaf = direct<UnitContinuation>([] { return test::takeStack(10); });
  const DirectStacks stacks(directStackSize());
  test::onThreads(3, [&](int thread) {
    for (std::size_t round = 0; round < 300; ++round) {
      if (thread == 0) setDirectStackSize((round % 3 + 2) * 64 * 1024);
      leaf.blockingAwait();
    }
  });
}
