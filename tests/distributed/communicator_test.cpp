#include "tapestry/distributed/communicator.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/ranks/communicator_laws.hpp"
#include "support/ranks/ranks.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using testing::Scheduler;

TEST_CASE("the laws of communicators hold in every order in which 1 to 4 local ranks continue") {
  for (std::size_t size = 1; size <= 4; ++size) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Scheduler scheduler(seed);
      const auto ends = scheduler.run(test::onAllRanks(
          localCommunicators(size), [](const LocalCommunicator& c) { return test::communicatorLaws(c); }));
      REQUIRE(ends.hasValue());
      CHECK(ends.get() == std::vector<std::string>(size, "value"));
      CHECK(scheduler.clock().now() == Clock::TimePoint());
    }
  }
}

TEST_CASE("the laws of communicators hold for local ranks behind AnyCommunicator") {
  for (std::size_t size = 1; size <= 4; ++size) {
    std::vector<AnyCommunicator> all;
    for (const auto& c : localCommunicators(size)) all.emplace_back(c);
    Scheduler scheduler(size);
    const auto ends = scheduler.run(
        test::onAllRanks(all, [](const AnyCommunicator& c) { return test::communicatorLaws(c); }));
    CHECK(ends.get() == std::vector<std::string>(size, "value"));
  }
}

TEST_CASE("the laws of communicators hold for local ranks with a network that takes time") {
  LocalOptions options;
  options.delay = [](std::size_t bytes) { return std::chrono::microseconds(10 + bytes); };
  Scheduler scheduler;
  const auto ends = scheduler.run(test::onAllRanks(
      localCommunicators(3, options), [](const LocalCommunicator& c) { return test::communicatorLaws(c); }));
  CHECK(ends.get() == std::vector<std::string>(3, "value"));
  CHECK(scheduler.clock().now() > Clock::TimePoint());
}

TEST_CASE("the laws of communicators hold for ranks on threads of their own") {
  for (int round = 0; round < 20; ++round) {
    const auto all = localCommunicators(3);
    test::onThreads(3, [&](int rank) { test::communicatorLaws(all[std::size_t(rank)]).blockingAwait(); });
  }
}

TEST_CASE("the laws of communicators hold for ranks that share the threads of a pool") {
  ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    test::Delivery<std::vector<std::string>> ends;
    test::onAllRanks(localCommunicators(4), [](const LocalCommunicator& c) {
      return test::communicatorLaws(c);
    }).onComplete(ends.callback(), pool);
    CHECK(ends.outcome().get() == std::vector<std::string>(4, "value"));
  }
}
