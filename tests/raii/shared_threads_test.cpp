#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/threads/on_threads.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;
using test::FakeResources;

namespace {

/// At most one instance at a time, counted.
struct Instances {
  std::atomic<int> open{0};
  std::atomic<int> acquired{0};
  std::atomic<int> released{0};
  std::atomic<int> faults{0};

  Do<int> program() {
    return resource(Do<int>::delay([this] {
                      if (open.fetch_add(1) != 0) ++faults;
                      return ++acquired;
                    }),
                    [this](int) {
                      if (open.fetch_sub(1) != 1) ++faults;
                      ++released;
                    });
  }
};

}  // namespace

TEST_CASE("four threads that use one shared instance 1,000,000 times each never see two, nor a closed one") {
  Instances instances;
  std::atomic<int> uses{0};
  const auto use = instances.program()
                       .shared()
                       .map([&](const Handle<int>& handle) {
                         if (instances.open != 1 || *handle != instances.acquired) ++instances.faults;
                         ++uses;
                       })
                       .run();
  test::onThreads(4, [&](int) {
    for (int i = 0; i < 1'000'000; ++i) use.blockingAwait();
  });
  CHECK(uses == 4'000'000);
  CHECK(instances.faults == 0);
  CHECK(instances.open == 0);
  CHECK(instances.acquired == instances.released);
}

TEST_CASE("runs on a pool that use one shared instance again and again never see two, nor a closed one") {
  Instances instances;
  std::atomic<int> uses{0};
  const auto use = instances.program().shared().map([&](const Handle<int>& handle) {
    if (instances.open != 1 || *handle != instances.acquired) ++instances.faults;
    ++uses;
  });
  {
    ThreadPool pool(4);
    std::vector<std::unique_ptr<test::Delivery<void>>> deliveries;
    for (int i = 0; i < 8; ++i) {
      deliveries.push_back(std::make_unique<test::Delivery<void>>());
      repeat(use, 1000).onComplete(deliveries.back()->callback(), pool);
    }
    for (const auto& delivery : deliveries) CHECK(delivery->outcome().hasValue());
  }
  CHECK(uses == 8000);
  CHECK(instances.faults == 0);
  CHECK(instances.acquired == instances.released);
}

TEST_CASE("shared with an acquire and a release on other threads never overlaps its instances") {
  FakeResources fake;
  test::OtherThread opener;
  test::OtherThread closer;
  const auto use = fake.make("a", {.acquiring = opener.hop(), .releasing = closer.hop()})
                       .shared()
                       .map([&](const Handle<std::string>& handle) {
                         CHECK(*handle == "a");
                         CHECK(fake.isOpen("a"));
                       })
                       .run();
  test::onThreads(4, [&](int) {
    for (int i = 0; i < 200; ++i) use.blockingAwait();
  });
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("users that are cancelled at any moment leave shared whole") {
  FakeResources fake;
  test::OtherThread other;
  const auto shared = fake.make("a", {.acquiring = other.hop(), .releasing = other.hop()}).shared();
  const auto use =
      shared.flatMap([](const Handle<std::string>& handle) { return Do<std::string>::now(*handle); });
  std::atomic<int> values{0};
  std::atomic<int> cancelled{0};
  std::atomic<int> others{0};
  test::onThreads(3, [&](int) {
    for (int i = 0; i < 300; ++i) {
      const StopSource source;
      test::Delivery<std::string> first;
      test::Delivery<std::string> second;
      use.onComplete(first.callback(), source.token());
      use.onComplete(second.callback());
      source.requestStop();
      ++(first.outcome().isCancelled() ? cancelled : first.outcome().hasValue() ? values : others);
      if (!second.outcome().hasValue()) ++others;
    }
  });
  CHECK(cancelled + values == 900);
  CHECK(others == 0);
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("parallel programs on a pool that share, fail and stop lose no resource") {
  FakeResources fake;
  ThreadPool pool(4);
  const auto shared = fake.make("shared").shared();
  const auto branch = [&](int i) {
    return shared.flatMap([&fake, i](const Handle<std::string>& handle) {
      return fake.make("r" + std::to_string(i)).map([handle, i](const std::string&) {
        if (i == 7) throw std::runtime_error("seven");
        return handle->size();
      });
    });
  };
  std::vector<Do<std::size_t>> branches;
  for (int i = 0; i < 12; ++i) branches.push_back(branch(i));
  const auto program = parSequence(branches);
  for (int i = 0; i < 100; ++i) {
    CHECK_THROWS_AS(program.blockingAwait(pool), std::runtime_error);
    CHECK(fake.open() == 0);
  }
  CHECK(fake.faults().empty());
}
