#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/threads/on_threads.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/semaphore.hpp"

using namespace tapestry;
using test::Delivery;

namespace {

/// A room for as many as the semaphore has permits, which counts.
struct Room {
  explicit Room(std::size_t permits) : semaphore(permits) {}

  /// Takes so many permits, goes in, does the work, and goes out.
  Do<void> visit(std::size_t count, const Do<void>& work = Do<void>::now()) {
    return semaphore.permit(count).flatMap([this, count, work] {
      if (inside.fetch_add(count) + count > semaphore.permits()) ++faults;
      ++visits;
      return ensure(work, Do<void>::delay([this, count] { inside -= count; }));
    });
  }

  Semaphore semaphore;
  std::atomic<std::size_t> inside{0};
  std::atomic<int> visits{0};
  std::atomic<int> faults{0};
};

}  // namespace

TEST_CASE("threads that take permits, some of them many at once, are never too many inside") {
  Room room(3);
  test::onThreads(4, [&](int thread) {
    const auto visit = room.visit(1 + static_cast<std::size_t>(thread) % 3).run();
    for (int i = 0; i < 3000; ++i) visit.blockingAwait();
  });
  CHECK(room.visits == 12'000);
  CHECK(room.faults == 0);
  CHECK(room.semaphore.available() == 3);
}

TEST_CASE("runs on a pool that take permits are never too many inside, and all get in") {
  Room room(2);
  {
    ThreadPool pool(4);
    std::vector<std::unique_ptr<Delivery<void>>> deliveries;
    for (int i = 0; i < 8; ++i) {
      deliveries.push_back(std::make_unique<Delivery<void>>());
      repeat(room.visit(1 + static_cast<std::size_t>(i) % 2), 1000)
          .onComplete(deliveries.back()->callback(), pool);
    }
    for (const auto& delivery : deliveries) CHECK(delivery->outcome().hasValue());
  }
  CHECK(room.visits == 8000);
  CHECK(room.faults == 0);
  CHECK(room.semaphore.available() == 2);
}

TEST_CASE("a request to stop that races with the grant of a permit loses neither the permit nor the others") {
  Room room(1);
  test::OtherThread other;
  std::atomic<int> values{0};
  std::atomic<int> cancelled{0};
  std::atomic<int> others{0};
  test::onThreads(3, [&](int) {
    for (int i = 0; i < 500; ++i) {
      const StopSource source;
      Delivery<void> first;
      Delivery<void> racing;
      Delivery<void> last;
      room.visit(1, other.hop()).onComplete(first.callback());
      room.semaphore.permit()
          .flatMap([] { return Do<void>::now(); })
          .onComplete(racing.callback(), source.token());
      room.visit(1).onComplete(last.callback());
      source.requestStop();
      ++(racing.outcome().isCancelled() ? cancelled : racing.outcome().hasValue() ? values : others);
      if (!first.outcome().hasValue() || !last.outcome().hasValue()) ++others;
    }
  });
  CHECK(values + cancelled == 1500);
  CHECK(cancelled > 0);
  CHECK(others == 0);
  CHECK(room.faults == 0);
  CHECK(room.semaphore.available() == 1);
}

TEST_CASE("big requests that are cancelled while they stand first do not hold up runs that want less") {
  Room room(4);
  test::OtherThread other;
  std::atomic<int> failed{0};
  test::onThreads(3, [&](int) {
    for (int i = 0; i < 500; ++i) {
      const StopSource source;
      Delivery<void> holder;
      Delivery<void> big;
      Delivery<void> small;
      room.visit(1, other.hop()).onComplete(holder.callback());
      room.visit(4).onComplete(big.callback(), source.token());
      room.visit(1).onComplete(small.callback());
      source.requestStop();
      if (!holder.outcome().hasValue() || !small.outcome().hasValue() || big.outcome().hasError()) ++failed;
    }
  });
  CHECK(failed == 0);
  CHECK(room.faults == 0);
  CHECK(room.semaphore.available() == 4);
}
