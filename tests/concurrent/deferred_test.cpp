#include "tapestry/concurrent/deferred.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "support/callable.hpp"
#include "support/programs/besides.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

static_assert(TAPESTRY_MEMBER_CALLABLE(fail, Deferred<int>, std::runtime_error));
static_assert(!TAPESTRY_MEMBER_CALLABLE(fail, Deferred<int>, int));

TEST_CASE("a deferred yields its value to waiting runs and to runs that come later") {
  const Deferred<std::string> deferred;
  Delivery<std::string> first, second;
  deferred.get().onComplete(first.callback());
  deferred.get().onComplete(second.callback());
  CHECK(first.count() == 0);
  CHECK_FALSE(deferred.isComplete());
  CHECK(deferred.complete("done"));
  CHECK(first.outcome().get() == "done");
  CHECK(second.outcome().get() == "done");
  CHECK(deferred.isComplete());
  CHECK(deferred.get().blockingAwait() == "done");
}

TEST_CASE("a deferred is completed once") {
  const Deferred<int> deferred;
  CHECK(deferred.complete(1));
  CHECK_FALSE(deferred.complete(2));
  CHECK_FALSE(deferred.fail(std::runtime_error("late")));
  CHECK(deferred.get().blockingAwait() == 1);
}

TEST_CASE("a deferred that fails gives its error to all") {
  const Deferred<int> deferred;
  Delivery<int> waiting;
  deferred.get().onComplete(waiting.callback());
  CHECK(deferred.fail(std::runtime_error("broken")));
  CHECK_FALSE(deferred.complete(1));
  CHECK(outcomeText(waiting.outcome()) == "broken");
  CHECK(errorOf([&] { return deferred.get().blockingAwait(); }) == "broken");
  const Deferred<void> nothing;
  nothing.fail(std::make_exception_ptr(std::logic_error("pointer")));
  CHECK(errorOf([&] {
          nothing.get().blockingAwait();
          return 0;
        }) == "pointer");
}

TEST_CASE("a deferred of void is completed without a value") {
  const Deferred<void> deferred;
  const Deferred<void> copy = deferred;
  CHECK(copy.complete());
  CHECK_FALSE(copy.complete());
  deferred.get().blockingAwait();
}

TEST_CASE("a value whose copy throws fails only the run that copies it") {
  struct Fickle {
    explicit Fickle(int& n) : left(&n) {}
    Fickle(Fickle&&) noexcept = default;
    Fickle(const Fickle& other) : left(other.left) {
      if (--*left < 0) throw std::runtime_error("no copy");
    }
    int* left;
  };
  int left = 1;
  const Deferred<Fickle> deferred;
  deferred.complete(Fickle(left));
  const auto program = deferred.get().map([](const Fickle&) { return 1; });
  CHECK(program.blockingAwait() == 1);
  CHECK(errorOf([&] { return program.blockingAwait(); }) == "no copy");
  left = 1;
  CHECK(program.blockingAwait() == 1);
}

TEST_CASE("copies of the value may use the deferred, for no lock is held meanwhile") {
  const Deferred<test::Nosy> deferred;
  int inner = 0;
  test::Besides besides([&] { inner += 1 + deferred.isComplete(); }, 100);
  Delivery<test::Nosy> waiting;
  deferred.get().onComplete(waiting.callback());
  deferred.complete(test::Nosy());
  deferred.complete(test::Nosy());
  CHECK(waiting.count() == 1);
  CHECK(inner > 2);
}

TEST_CASE("a request to stop ends a wait for a deferred, unless masked") {
  const Deferred<int> deferred;
  const StopSource stop;
  Delivery<int> stopped, masked, other;
  deferred.get().onComplete(stopped.callback(), stop.token());
  mask(deferred.get()).onComplete(masked.callback(), stop.token());
  deferred.get().onComplete(other.callback());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(masked.count() == 0);
  deferred.complete(5);
  CHECK(masked.count() == 1);
  CHECK(other.outcome().get() == 5);
}

TEST_CASE("a deferred that is never completed is a deadlock, whose message names the wait") {
  Scheduler scheduler;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(Deferred<int>().get())),
                       doctest::Contains("Deferred::get"), testing::Deadlock);
}

TEST_CASE("if several threads complete a deferred, one succeeds") {
  for (int round = 0; round < 200; ++round) {
    const Deferred<int> deferred;
    std::atomic<int> won = 0, winner = -1;
    test::onThreads(4, [&](int i) {
      if (i == 3) {
        static_cast<void>(deferred.get().blockingAwait());
      } else if (deferred.complete(i)) {
        ++won;
        winner = i;
      }
    });
    CHECK(won == 1);
    CHECK(deferred.get().blockingAwait() == winner);
  }
}

TEST_CASE("a deferred keeps its value as long as its copies live") {
  {
    const Deferred<test::Counted> deferred;
    deferred.complete(test::Counted(1));
    deferred.complete(test::Counted(2));
    CHECK(test::Counted::live() == 1);
  }
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("a million waits for a complete deferred need no stack") {
  struct Loop {
    Deferred<int> deferred;
    Do<int> operator()(int left) const {
      if (left == 0) return Do<int>::now(0);
      return deferred.get().flatMap([loop = *this, left](int one) { return loop(left - one); });
    }
  };
  const Deferred<int> deferred;
  deferred.complete(1);
  CHECK(Loop{deferred}(test::million).blockingAwait() == 0);
}
