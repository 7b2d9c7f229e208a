#include "tapestry/concurrent/supervisor.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/run_observer.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::cancelAtEveryStep;
using testing::Scheduler;
using OnError = SupervisorOptions::OnError;
using OnExit = SupervisorOptions::OnExit;

namespace {

/// A slot that is confined, as that of a pass.
struct Confining {
  using Type = int;
  static constexpr bool confined = true;
  static int initial() { return 0; }
};

/// Counts what is acquired and not yet released.
class Held {
 public:
  /// Holds one while it waits for so many milliseconds.
  Do<void> during(int milliseconds) {
    return resource(Do<int>::delay([this] { return ++held_; }), [this](int) { --held_; })
        .flatMap([milliseconds](int) { return Do<void>::lift(sleepFor(milliseconds * 1ms)); });
  }
  int count() const { return held_; }

 private:
  std::atomic<int> held_ = 0;
};

Do<void> failAfter(int milliseconds, const char* text) {
  return Do<void>::lift(sleepFor(milliseconds * 1ms)).flatMap([text] { return Do<void>::raiseError(text); });
}

/// Spawns n programs, one after the other, each of which is joined before the next.
Do<int> spawnAndJoin(const Supervisor& supervisor, int n) {
  if (n == 0) return Do<int>::now(0);
  return supervisor.spawn(Do<int>::now(n))
      .flatMap([](const Task<int>& task) { return task.join(); })
      .flatMap([=](int) { return spawnAndJoin(supervisor, n - 1); });
}

}  // namespace

TEST_CASE("a scope that cancels its children ends when they have released what they hold") {
  Held held;
  Scheduler scheduler;
  const auto program = Supervisor::scoped().flatMap([&](const Supervisor& supervisor) {
    return supervisor.spawn(held.during(100)).flatMap([&](const Task<void>&) {
      return Do<void>::lift(sleepFor(1ms)).map([&] { CHECK(held.count() == 1); });
    });
  });
  CHECK(scheduler.run(program).hasValue());
  CHECK(held.count() == 0);
  CHECK(scheduler.clock().now().time_since_epoch() < 50ms);
}

TEST_CASE("a scope that joins its children lets them continue, and children spawn others meanwhile") {
  int ended = 0;
  Scheduler scheduler;
  const auto program =
      Supervisor::scoped({.onExit = OnExit::join}).flatMap([&](const Supervisor& supervisor) {
        const auto second = Do<void>::lift(sleepFor(10ms)).map([&] { ++ended; });
        const auto first = Do<void>::lift(sleepFor(10ms)).flatMap([=, &ended] {
          ++ended;
          return supervisor.spawn(second).map([](const Task<void>&) {});
        });
        return supervisor.spawn(first).map([](const Task<void>&) {});
      });
  CHECK(scheduler.run(program).hasValue());
  CHECK(ended == 2);
}

TEST_CASE("errors of children without a join fail the scope, in order") {
  Scheduler scheduler;
  const auto program = Supervisor::scoped({.onExit = OnExit::join}).flatMap([](const Supervisor& supervisor) {
    return supervisor.spawn(failAfter(2, "second")).flatMap([supervisor](const Task<void>&) {
      return supervisor.spawn(failAfter(1, "first")).map([](const Task<void>&) { return 1; });
    });
  });
  const std::string text = outcomeText(scheduler.run(program));
  CHECK(text.find("first") < text.find("second"));
  CHECK(text.find("second") != std::string::npos);
}

TEST_CASE("isolated: an error of a child leaves its siblings and the body alone") {
  Scheduler scheduler;
  bool siblingEnded = false;
  const auto body = [&](const Supervisor& supervisor) {
    return supervisor.spawn(failAfter(1, "no")).flatMap([&, supervisor](const Task<void>& failing) {
      return supervisor.spawn(Do<void>::lift(sleepFor(5ms)).map([&] { siblingEnded = true; }))
          .flatMap([failing](const Task<void>& sibling) { return sibling.join(); })
          .flatMap([failing] { return failing.join().attempt(); })
          .map([](const Try<void>& joined) { return joined.hasValue(); });
    });
  };
  const auto outcome = scheduler.run(supervised(body, {OnExit::cancel, OnError::isolated}));
  CHECK_FALSE(outcome.get());
  CHECK(siblingEnded);
}

TEST_CASE("failFast: the first error of a child cancels its siblings and the body, and fails the scope") {
  Held held;
  Scheduler scheduler;
  const auto body = [&](const Supervisor& supervisor) {
    return supervisor.spawn(held.during(1000)).flatMap([=, &held](const Task<void>&) {
      return supervisor.spawn(failAfter(3, "no")).flatMap([&held](const Task<void>&) {
        return held.during(1000);
      });
    });
  };
  CHECK(outcomeText(scheduler.run(supervised(body))) == "no");
  CHECK(held.count() == 0);
  CHECK(scheduler.clock().now().time_since_epoch() < 100ms);
}

TEST_CASE("failFast: an error of the body cancels the children, and is the scope's") {
  Held held;
  Scheduler scheduler;
  const auto body = [&](const Supervisor& supervisor) {
    return supervisor.spawn(held.during(1000)).flatMap([](const Task<void>&) {
      return failAfter(5, "body");
    });
  };
  CHECK(outcomeText(scheduler.run(supervised(body))) == "body");
  CHECK(held.count() == 0);
  CHECK(scheduler.clock().now().time_since_epoch() < 100ms);
}

TEST_CASE("a request to stop ends children, whether the body or the end of the scope waits") {
  const auto forGood = resource(Do<int>::now(1), [](int) {}).flatMap([](int) { return Event().wait(); });
  struct Case {
    bool bodyWaits;
    OnExit onExit;
  };
  for (const Case& each : {Case{true, OnExit::cancel}, Case{true, OnExit::join}, Case{false, OnExit::join}}) {
    const StopSource stop;
    Delivery<void> delivery;
    const auto body = [=](const Supervisor& supervisor) {
      return supervisor.spawn(forGood).flatMap(
          [each](const Task<void>&) { return each.bodyWaits ? Event().wait() : Do<void>::now(); });
    };
    supervised(body, {each.onExit, OnError::failFast}).onComplete(delivery.callback(), stop.token());
    CHECK(delivery.count() == 0);
    stop.requestStop();
    CHECK(delivery.count() == 1);
    CHECK_FALSE(delivery.outcome().hasError());
  }
}

TEST_CASE("a child that throws Cancelled has no error, and its join fails with TaskCancelled") {
  const auto child = Do<int>::delay([]() -> int { throw Cancelled(); });
  const auto body = [child](const Supervisor& supervisor) {
    return supervisor.spawn(child)
        .flatMap([](const Task<int>& task) { return task.join().attempt(); })
        .map([](const Try<int>& joined) { return errorAs<TaskCancelled>(joined.error()) != nullptr; });
  };
  CHECK(supervised(body).blockingAwait());
}

TEST_CASE("a task that is kept after its end keeps nothing of its program") {
  const auto value = std::make_shared<int>(1);
  std::optional<Task<int>> kept;
  Supervisor::scoped({.onExit = OnExit::join})
      .flatMap([value](const Supervisor& supervisor) {
        return supervisor.spawn(Do<int>::delay([value] { return *value; }));
      })
      .map([&kept](const Task<int>& task) { kept = task; })
      .blockingAwait();
  CHECK(kept->hasEnded());
  CHECK(value.use_count() == 1);
}

TEST_CASE("a spawn in a confined slot by a supervisor from outside is an error") {
  const auto spawn = [](const Supervisor& supervisor) {
    return supervisor.spawn(Do<int>::now(1)).flatMap([](const Task<int>& task) { return task.join(); });
  };
  const auto outside = Supervisor::scoped().flatMap(
      [spawn](const Supervisor& supervisor) { return local<Confining>(1, spawn(supervisor)); });
  CHECK(errorOf([&] {
          outside.blockingAwait();
        }).starts_with("tapestry::Supervisor::spawn: the task may outlive the pass"));
  CHECK(local<Confining>(1, supervised(spawn)).blockingAwait() == 1);
}

TEST_CASE("an executor that stops while the scope waits for its children loses no error of theirs") {
  test::QueueExecutor executor;
  StopSource stop;
  Delivery<void> delivery;
  const Event begin, end;
  const auto child =
      end.wait().attempt().flatMap([](const Try<void>&) { return Do<void>::raiseError("child"); });
  {
    const auto scope =
        Supervisor::scoped({.onExit = OnExit::join}).flatMap([child](const Supervisor& supervisor) {
          return supervisor.spawn(child).map([](const Task<void>&) {});
        });
    // continues elsewhere after the scope, where it can still be asked to stop
    const auto elsewhere = on(executor, scope.run()).attempt().flatMap([begin](const Try<void>& scopeEnded) {
      const std::string text = errorOf([&] { std::rethrow_exception(scopeEnded.error()); });
      CHECK(text.find("child") != std::string::npos);
      CHECK(text.find(ExecutorStopped().what()) != std::string::npos);
      return begin.wait();
    });
    elsewhere.onComplete(delivery.callback(), stop.token());
  }
  executor.work();
  executor.stop();
  end.set();
  CHECK(delivery.count() == 0);
  stop.requestStop();
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
}

TEST_CASE("a spawn after the scope has ended fails with Closed") {
  std::optional<Supervisor> kept;
  Supervisor::scoped().map([&](const Supervisor& supervisor) { kept = supervisor; }).blockingAwait();
  CHECK(errorOf([&] { static_cast<void>(kept->spawn(Do<int>::now(1)).blockingAwait()); }) == Closed().what());
}

TEST_CASE("a million children spawned in turn leave nothing behind, and need no stack") {
  constexpr int n = test::million;
  const auto heap = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  std::size_t early = 0;
  const auto program = Supervisor::scoped().flatMap([&](const Supervisor& supervisor) {
    return spawnAndJoin(supervisor, 1000)
        .map([&](int) { early = heap(); })
        .flatMap([supervisor] { return spawnAndJoin(supervisor, n); })
        .map([&](int left) { return std::pair(left, heap()); });
  });
  const auto [left, late] = program.blockingAwait();
  CHECK(left == 0);
  if (test::underAddressSanitizer || test::underThreadSanitizer) return;  // a sanitizer's heap is its own
  CHECK(late < early + 64 * 1024);                                        // less than a bit for each child
}

TEST_CASE("a child that spawns its successor keeps nothing of the children before it") {
  struct Counted {
    static int& live() {
      static int number = 0;
      return number;
    }
    Counted() noexcept { ++live(); }
    Counted(const Counted&) noexcept { ++live(); }
    ~Counted() { --live(); }
  };
  struct Spawns {
    Do<Counted> operator()(const Supervisor& supervisor, int left) const {
      return Do<Counted>::suspend([=, self = *this]() -> Do<Counted> {
        CHECK(Counted::live() < 10);
        if (left == 0) return Do<Counted>::now(Counted());
        return supervisor.spawn(self(supervisor, left - 1)).map([](const Task<Counted>&) {
          return Counted();
        });
      });
    }
  };
  const auto program =
      Supervisor::scoped({.onExit = SupervisorOptions::OnExit::join})
          .flatMap([](const Supervisor& supervisor) { return supervisor.spawn(Spawns()(supervisor, 1000)); });
  program.map([](const Task<Counted>&) {}).blockingAwait();
  CHECK(Counted::live() == 0);
}

TEST_CASE("children that were spawned at once all run, on a pool of two threads") {
  constexpr int n = 1000;
  ThreadPool pool(2);
  std::atomic<int> ran = 0;
  struct Spawns {
    std::atomic<int>& ran;
    Do<void> operator()(const Supervisor& supervisor, int left) const {
      if (left == 0) return Do<void>::now();
      return supervisor.spawn(Do<void>::delay([&r = ran] { ++r; }))
          .flatMap([=, self = *this](const Task<void>&) { return self(supervisor, left - 1); });
    }
  };
  const auto body = [&](const Supervisor& supervisor) { return Spawns{ran}(supervisor, n); };
  supervised(body).blockingAwait(pool);
  CHECK(ran == n);
}

TEST_CASE("an observer is notified that a child begins on the thread that executes it") {
  struct : RunObserver {
    void branchBegan(const RunSpan&, const void*) noexcept override { thread = std::this_thread::get_id(); }
    std::thread::id thread;
  } observer;
  std::atomic<bool> begun = false;
  std::thread::id ofBody, ofChild;
  const auto child = Do<void>::delay([&] { ofChild = std::this_thread::get_id(), begun = true; });
  const auto body = [&](const Supervisor& supervisor) {
    return supervisor.spawn(child).flatMap([&](const Task<void>& task) {
      ofBody = std::this_thread::get_id();
      while (!begun) std::this_thread::yield();
      return task.join();
    });
  };
  Delivery<void> delivery;
  ThreadPool pool(2);
  withObserver(observer, supervised(body).named("body")).onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().hasValue());
  CHECK(observer.thread == ofChild);
  CHECK(ofChild != ofBody);
}

TEST_CASE("in any order of steps, all children end and release before the scope's outcome comes") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Held held;
    Scheduler scheduler(seed);
    const auto body = [&](const Supervisor& supervisor) {
      return supervisor.spawn(held.during(2)).flatMap([=, &held](const Task<void>&) {
        return supervisor.spawn(failAfter(1, "no")).flatMap([=, &held](const Task<void>&) {
          return supervisor.spawn(held.during(1)).flatMap([](const Task<void>& task) { return task.join(); });
        });
      });
    };
    CHECK(outcomeText(scheduler.run(supervised(body))) == "no");
    CHECK(held.count() == 0);
  }
}

TEST_CASE("cancelled at any step, all children end and release before the scope's outcome comes") {
  std::optional<Held> held;
  const auto make = [&] {
    held.emplace();
    return supervised([&h = *held](const Supervisor& supervisor) {
      return supervisor.spawn(h.during(2)).flatMap([=, &h](const Task<void>& first) {
        return supervisor.spawn(h.during(1)).flatMap([first](const Task<void>& second) {
          return second.join().flatMap([first] { return first.cancel(); });
        });
      });
    });
  };
  const auto check = [&](const auto&, std::size_t) { CHECK(held->count() == 0); };
  for (std::uint64_t seed = 0; seed < 5; ++seed) CHECK(cancelAtEveryStep(make, check, seed) > 5);
}

TEST_CASE("wrong calls of supervised and spawn are refused") {
  static_assert(!TAPESTRY_CALLABLE(supervised, int (*)(const Supervisor&)));
  static_assert(TAPESTRY_CALLABLE(supervised, Do<int>(*)(const Supervisor&)));
  static_assert(!TAPESTRY_MEMBER_CALLABLE(spawn, const Supervisor&, int));
  static_assert(TAPESTRY_MEMBER_CALLABLE(spawn, const Supervisor&, Do<int>));
}
