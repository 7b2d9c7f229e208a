#include "tapestry/continuation/on.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/delay.hpp"

using namespace tapestry;

namespace {

auto thread() {
  return delay([] { return std::this_thread::get_id(); });
}

}  // namespace

TEST_CASE("on runs a program on the executor and comes back") {
  ThreadPool pool(1);
  const auto main = std::this_thread::get_id();
  const auto there = execute(pool, [] { return std::this_thread::get_id(); }).blockingAwait();
  CHECK(on(pool, thread()).blockingAwait() == there);
  CHECK(on(pool, thread()).flatMap([](std::thread::id) { return thread(); }).blockingAwait() == main);
}

TEST_CASE("on comes back also when the program is stopped") {
  ThreadPool pool(1);
  const auto main = std::this_thread::get_id();
  std::thread::id after;
  const auto broken = on(pool, async<int>([](const Callback<int>&) {}));
  const auto program = onStop(broken, delay([&] {
                                after = std::this_thread::get_id();
                                return Errors();
                              }));
  CHECK_THROWS_AS((void)program.blockingAwait(), BrokenCallback);
  CHECK(after == main);
}
