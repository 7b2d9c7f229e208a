#include "tapestry/continuation/detail/processor.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"

#ifdef __linux__

namespace {

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CHECK(::sched_getaffinity(0, sizeof set, &set) == 0);
  return set;
}

/// The calling thread may use one processor alone.
class OneProcessor {
 public:
  OneProcessor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(tapestry::detail::currentProcessor()), &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;
  ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  const cpu_set_t before_ = allowed();
};

bool sameProcessors(const cpu_set_t& a, const cpu_set_t& b) { return CPU_EQUAL(&a, &b); }

}  // namespace

TEST_CASE("a thread leaves a processor where it has another, and may come back") {
  const cpu_set_t before = allowed();
  bool left = false;
  for (int i = 0; i < 100 && !left; ++i) {
    const int processor = tapestry::detail::currentProcessor();
    tapestry::detail::leaveProcessor(processor);
    left = tapestry::detail::currentProcessor() != processor;
    CHECK(sameProcessors(allowed(), before));
  }
  CHECK(left == (CPU_COUNT(&before) > 1));
}

TEST_CASE("a thread that has one processor stays there") {
  const OneProcessor one;
  const int processor = tapestry::detail::currentProcessor();
  const cpu_set_t before = allowed();
  tapestry::detail::leaveProcessor(processor);
  CHECK(tapestry::detail::currentProcessor() == processor);
  CHECK(sameProcessors(allowed(), before));
}

TEST_CASE("a worker that was woken to help may use the processors that it might before") {
  const auto work = tapestry::parallel(tapestry::delay([] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (std::chrono::steady_clock::now() < end) continue;
  }));
  tapestry::ThreadPool pool(1);
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));  // until it sleeps
    tapestry::tuple2(work, work).blockingAwait(pool);
  }
  cpu_set_t found;
  tapestry::test::Delivery<void> delivery;
  tapestry::delay([&found] { found = allowed(); }).onComplete(delivery.callback(), pool);
  delivery.outcome();
  CHECK(sameProcessors(found, allowed()));
}

#endif
