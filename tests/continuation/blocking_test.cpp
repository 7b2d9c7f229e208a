#include "tapestry/continuation/blocking.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/delivery.hpp"
#include "tapestry/continuation/thread_pool.hpp"

using namespace tapestry;
using test::Delivery;

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
