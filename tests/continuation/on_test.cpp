#include "tapestry/continuation/on.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "support/delivery.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/thread_pool.hpp"
#include "tapestry/continuation/tuple2.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;

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

TEST_CASE("blocking calls block nobody: so many at once as there are calls") {
  ThreadPool pool(1);
  std::atomic<int> inside{0};
  const auto meet = blocking([&] {
    // each waits until all are here
    ++inside;
    while (inside < 8) std::this_thread::yield();
    return std::this_thread::get_id();
  });
  std::vector<Delivery<std::thread::id>> deliveries(8);
  for (auto& delivery : deliveries) meet.onComplete(delivery.callback(), pool);
  for (auto& delivery : deliveries) CHECK(delivery.outcome().hasValue());
}

TEST_CASE("a run goes on where it was after a blocking call") {
  ThreadPool pool(1);
  const auto worker = execute(pool, [] { return std::this_thread::get_id(); });
  const auto program = worker.flatMap([](std::thread::id before) {
    return blocking([before] { return before != std::this_thread::get_id(); }).map([before](bool elsewhere) {
      return elsewhere && before == std::this_thread::get_id();
    });
  });
  CHECK(program.blockingAwait());
}
