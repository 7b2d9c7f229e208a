#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <memory>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;
using test::Delivery;

namespace {

constexpr int clients = 10;
constexpr int uses = 10'000;

/// What a pool of three makes; counts without a lock, so that a data race is seen where two use one at once.
struct Instance {
  int number = 0;
  int uses = 0;
};

}  // namespace

TEST_CASE("ten clients on a thread pool use three instances 10,000 times each, one at a time") {
  std::atomic<int> made{0};
  std::array<std::atomic<int>, 3> used{};
  std::array<std::atomic<int>, 3> closed{};
  const auto factory = resource(Do<std::shared_ptr<Instance>>::delay([&made] {
                                  return std::make_shared<Instance>(Instance{made++, 0});
                                }),
                                [&](const std::shared_ptr<Instance>& instance) {
                                  const auto number = static_cast<std::size_t>(instance->number);
                                  used.at(number) = instance->uses;
                                  ++closed.at(number);
                                });
  using Instances = Pool<std::shared_ptr<Instance>>;
  const auto program = Instances::scoped(3, factory).flatMap([](const Instances& pool) {
    const auto use =
        pool.use().map([](const Handle<std::shared_ptr<Instance>>& handle) { ++(*handle)->uses; });
    const auto client = [use](int) { return repeat(use, uses); };
    return parTraverse(std::views::iota(0, clients), clients, client);
  });
  ThreadPool threads(4);
  Delivery<void> delivery;
  program.onComplete(delivery.callback(), threads);
  CHECK(delivery.outcome().hasValue());
  int all = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    all += used.at(i);
    CHECK(closed.at(i) == (static_cast<int>(i) < made ? 1 : 0));
  }
  CHECK(all == clients * uses);
}

TEST_CASE(
    "users and a shutdown on several threads, with requests to stop, lose no instance and do not hang") {
  test::FakeResources fake;
  test::OtherThread other;
  std::atomic<int> made{0};
  const auto factory = other.hop().flatMap([&] { return fake.make(std::to_string(++made)); });
  const auto isHealthy = [](const std::string& name) { return name.back() % 3 != 0; };
  using Strings = Pool<std::string>;
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> faults{0};
    const auto visits = [&](const Strings& pool) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back([&fake, &other, &faults, pool] {
          const auto use = pool.use().flatMap([&](const Handle<std::string>& handle) {
            if (!fake.isOpen(*handle)) ++faults;
            return other.hop();
          });
          for (int k = 0; k < 5; ++k) {
            const StopSource source;
            Delivery<void> first;
            Delivery<void> second;
            use.onComplete(first.callback(), source.token());
            use.onComplete(second.callback());
            source.requestStop();
            if (first.outcome().hasError() && !test::isError<PoolClosed>(first.outcome().error())) ++faults;
            if (!second.outcome().hasValue() && !test::isError<PoolClosed>(second.outcome().error()))
              ++faults;
          }
        });
      pool.use().flatMap([&](const auto&) { return other.hop(); }).blockingAwait();
      pool.shutdown().blockingAwait();
      if (fake.open() != 0) ++faults;
      for (auto& thread : threads) thread.join();
    };
    Strings::scoped(2, factory, isHealthy).map(visits).blockingAwait();
    CHECK(faults == 0);
    CHECK(fake.open() == 0);
  }
  CHECK(fake.faults().empty());
}

TEST_CASE("a user that comes as the pool begins to close is either served before it is closed or refused") {
  test::FakeResources fake;
  std::atomic<int> served{0};
  std::atomic<int> refused{0};
  std::atomic<int> late{0};
  std::atomic<bool> closed{false};
  const auto factory = Do<std::string>::suspend([&] {
    if (closed) ++late;
    return fake.make("a");
  });
  for (int round = 0; round < 2000; ++round) {
    closed = false;
    const auto meet = [&](const Pool<std::string>& pool) {
      std::atomic<int> ready{0};
      const auto together = [&ready] {
        for (++ready; ready < 2;) std::this_thread::yield();
      };
      const auto use = pool.use().map([&served](const auto&) { ++served; }).attempt().run();
      std::thread user([&, use] {
        together();
        if (!use.blockingAwait().hasValue()) ++refused;
      });
      together();
      pool.shutdown().blockingAwait();
      closed = true;
      user.join();
    };
    Pool<std::string>::scoped(1, factory).map(meet).blockingAwait();
  }
  CHECK(served + refused == 2000);
  CHECK(late == 0);
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}
