// The threads on which the waiting users of a node continue when its value exists.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

/// The layer, which calls f before it is open.
template <class F>
DoubleLayer whenOpen(const DoubleLayer& layer, const F& f) {
  return DoubleLayer(forward(layer).map([f](Tape<double, double> tape) {
    f();
    return tape;
  }));
}

}  // namespace

TEST_CASE(
    "users that waited for one node are shared out among workers, though one worker has begun them all") {
  ThreadPool pool(1);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> callerHasSome{false};
  const DoubleWeight weight(3, sgd(1));
  // it takes a while, so that all who use it wait
  const auto shared = whenOpen(weight * 2.0, [] { std::this_thread::sleep_for(50ms); });
  // the caller has the first in any case
  std::vector<DoubleLayer> users{whenOpen(shared, [] {})};
  for (int i = 0; i < 7; ++i)
    users.push_back(whenOpen(shared, [&] {
      if (std::this_thread::get_id() == caller) callerHasSome = true;
      test::within(10s, [&] { return callerHasSome.load(); });
    }));
  CHECK(train(sum(users)).blockingAwait(pool) == 48);
  CHECK(callerHasSome);
  CHECK(weight.data() == 3 - 16);
}

TEST_CASE("all users that waited for one node continue, with any number of workers") {
  for (const unsigned workers : {1u, 2u, 4u}) {
    ThreadPool pool(workers);
    for (int round = 0; round < 50; ++round) {
      const DoubleWeight weight(1, sgd(1));
      const auto shared = whenOpen(weight * 2.0, [] { std::this_thread::sleep_for(100us); });
      std::atomic<int> gone{0};
      std::vector<DoubleLayer> users;
      for (int i = 0; i < 20; ++i) users.push_back(whenOpen(shared, [&] { ++gone; }));
      REQUIRE(train(sum(users)).blockingAwait(pool) == 40);
      REQUIRE(gone == 20);
      REQUIRE(weight.data() == 1 - 40);
    }
  }
}

TEST_CASE("all users of a node whose forward fails fail too") {
  ThreadPool pool(2);
  const DoubleWeight weight(1);
  const auto shared = whenOpen(weight * 2.0, [] {
    std::this_thread::sleep_for(50ms);
    throw std::runtime_error("no forward");
  });
  std::atomic<int> gone{0};
  std::vector<DoubleLayer> users;
  for (int i = 0; i < 8; ++i) users.push_back(whenOpen(shared, [&] { ++gone; }));
  CHECK_THROWS_WITH_AS((void)train(sum(users)).blockingAwait(pool), "no forward", std::runtime_error);
  CHECK(gone == 0);
  CHECK(weight.data() == 1);
}
