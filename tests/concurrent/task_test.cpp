#include "tapestry/concurrent/task.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/concurrent/deferred.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;
using namespace std::chrono_literals;

namespace {

/// The value of body(task of the program), in a supervisor's scope.
template <class A, class F>
auto withTask(const Do<A>& program, F body) {
  return Supervisor::scoped()
      .flatMap([=](const Supervisor& supervisor) { return supervisor.spawn(program, "child"); })
      .flatMap(body)
      .run();
}

template <class T>
concept CanJoin = requires(const T& task) { task.join(); };
template <class T>
concept CanCancel = requires(const T& task) { task.cancel(); };

const auto joins = [](const auto& task) { return task.join(); };

}  // namespace

TEST_CASE("join yields the task's value, to each that asks") {
  const auto both = withTask(Do<int>::now(7), [](const Task<int>& task) {
    return tupleN(parallel(task.join()), parallel(task.join())).map([](const auto& values) {
      return std::get<0>(values) + std::get<1>(values);
    });
  });
  CHECK(both.blockingAwait() == 14);
}

TEST_CASE("join fails with the task's error, which does not fail the scope") {
  const auto failing = withTask(Do<int>::raiseError("no"), joins);
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "no");
  const auto handled = withTask(Do<int>::raiseError("no"), [](const Task<int>& task) {
    return task.join().handleError([](const std::exception_ptr&) { return Do<int>::now(1); });
  });
  CHECK(handled.blockingAwait() == 1);
}

TEST_CASE("a task that was cancelled fails join with TaskCancelled") {
  const auto cancelled = withTask(Event().wait(), [](const Task<void>& task) {
    return task.cancel().flatMap([task] { return task.join(); });
  });
  CHECK(errorOf([&] { cancelled.blockingAwait(); }) == TaskCancelled().what());
}

TEST_CASE("cancel waits for the releases of the task") {
  std::string log;
  const auto holding =
      resource(Do<int>::delay([&log] { return log += "+", 1; }), [&log](int) { log += "-"; });
  const Event holds;
  const auto child = holding.flatMap([holds](int) {
    holds.set();
    return Event().wait();
  });
  const auto program = withTask(child, [&log, holds](const Task<void>& task) {
    return holds.wait().flatMap([task] { return task.cancel(); }).map([&log] { log += " cancelled"; });
  });
  program.blockingAwait();
  CHECK(log == "+- cancelled");
}

TEST_CASE("cancelling a task that has ended does nothing") {
  const auto program = withTask(Do<int>::now(3), [](const Task<int>& task) {
    return task.join().flatMap([task](int) { return task.cancel(); }).flatMap([task] { return task.join(); });
  });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("a task that waits for its own end is an error that names it") {
  std::optional<Task<int>> self;
  const Event known;
  const auto child = known.wait().flatMap([&self] { return self->join(); });
  const auto program = withTask(child, [&](const Task<int>& task) {
    self = task;
    known.set();
    return task.join();
  });
  CHECK(errorOf([&] { program.blockingAwait(); }) ==
        "tapestry::Task::join: the task \"child\" waits for its own end, which would never come, expected "
        "another run to wait");
  self.reset();
}

TEST_CASE("a task that cancels itself is an error, and is not asked to stop") {
  std::optional<Task<int>> self;
  const Event known;
  std::string error;
  const auto child = known.wait()
                         .flatMap([&] { return self->cancel(); })
                         .attempt()
                         .flatMap([&error](const Try<void>& cancelled) {
                           error = test::errorText(cancelled.error());
                           return Do<int>::delay([] { return 7; });
                         });
  const auto program = withTask(child, [&](const Task<int>& task) {
    self = task;
    known.set();
    return task.join();
  });
  CHECK(Scheduler().run(program).get() == 7);
  CHECK(error ==
        "tapestry::Task::cancel: the task \"child\" waits for its own end, which would never come, expected "
        "another run to wait");
  self.reset();
}

TEST_CASE("a task that waits for its own end by a child, or in a parallel branch, is the same error") {
  const auto errorWhere = [](const auto& joinsWithin) {
    std::optional<Task<int>> self;
    const Event known;
    const auto child =
        known.wait().flatMap([&] { return joinsWithin(Do<int>::suspend([&] { return self->join(); })); });
    const auto program = withTask(child, [&](const Task<int>& task) {
      self = task;
      known.set();
      return task.join();
    });
    const auto text = outcomeText(Scheduler().run(program));
    self.reset();
    return text;
  };
  const std::string expected =
      "tapestry::Task::join: the task \"child\" waits for its own end, which would never come, expected "
      "another run to wait";
  const auto byChild = [](const Do<int>& join) {
    return supervised([join](const Supervisor& inner) { return inner.spawn(join, "inner").flatMap(joins); });
  };
  CHECK(errorWhere(byChild) == expected);
  CHECK(errorWhere([&](const Do<int>& join) { return byChild(byChild(join)); }) == expected);
  CHECK(errorWhere([](const Do<int>& join) {
          return tupleN(parallel(join), parallel(Do<int>::now(1))).map([](const auto& both) {
            return std::get<0>(both);
          });
        }) == expected);
}

TEST_CASE("two tasks that join each other are a deadlock, which names both waits") {
  const auto program = Supervisor::scoped()
                           .flatMap([](const Supervisor& supervisor) {
                             const Deferred<Task<int>> left, right;
                             return supervisor.spawn(right.get().flatMap(joins), "left")
                                 .flatMap([=](const Task<int>& task) {
                                   left.complete(task);
                                   return supervisor.spawn(left.get().flatMap(joins), "right");
                                 })
                                 .flatMap([=](const Task<int>& task) {
                                   right.complete(task);
                                   return task.join();
                                 });
                           })
                           .run();
  const std::string text = errorOf([&] { return Scheduler().run(program); });
  for (const std::string name : {"\"left\"", "\"right\""}) {
    const auto at = text.find(name);
    REQUIRE(at != std::string::npos);
    CHECK(text.substr(at, text.find('\n', at) - at).find("waits for Task::join") != std::string::npos);
  }
}

TEST_CASE("a task may join the task that has spawned it on a supervisor of others") {
  const auto program = Supervisor::scoped({.onExit = SupervisorOptions::OnExit::join})
                           .flatMap([](const Supervisor& supervisor) {
                             const Deferred<Task<int>> parent;
                             const auto child = parent.get().flatMap(joins);
                             const auto spawning = supervisor.spawn(child).flatMap(
                                 [](const Task<int>& task) { return Do<Task<int>>::now(task); });
                             return supervisor.spawn(spawning.map([](const Task<int>&) { return 7; }))
                                 .flatMap([parent, supervisor](const Task<int>& task) {
                                   parent.complete(task);
                                   return supervisor.spawn(task.join());
                                 });
                           })
                           .run();
  static_cast<void>(program.blockingAwait());
}

TEST_CASE("an error whose join is too late for its own run fails the scope") {
  const auto failing = Do<void>::lift(sleepFor(1ms)).flatMap([] { return Do<void>::raiseError("no"); });
  // the limit is over when the child fails: just before or after that
  const auto outcomeOf = [&](std::chrono::microseconds begins, const auto& joining) {
    const auto program = withTask(failing, [=](const Task<void>& task) {
      return Do<void>::lift(sleepFor(begins)).flatMap([=] {
        return timeout(joining(task), 1ms - begins)
            .map([](const auto&...) {})
            .handleError([](const std::exception_ptr& e) {
              return errorAs<TimeoutError>(e) ? Do<void>::now() : Do<void>::raiseError(e);
            });
      });
    });
    return outcomeText(Scheduler().run(program));
  };
  CHECK(outcomeOf(0us, joins) == "no");
  CHECK(outcomeOf(500us, joins) == "no");
  CHECK(outcomeOf(500us, [](const auto& task) { return task.join().attempt(); }) == "no");
  CHECK(outcomeOf(500us, [](const auto& task) { return race(task.join(), Event().wait()); }) == "no");
}

TEST_CASE("a request to stop ends a join, and not the task") {
  const Event end;
  const StopSource stop;
  std::optional<Task<void>> task;
  Delivery<void> scope, joined;
  withTask(end.wait(), [&](const Task<void>& spawned) {
    task = spawned;
    return spawned.join();
  }).onComplete(scope.callback());
  task->join().onComplete(joined.callback(), stop.token());
  stop.requestStop();
  CHECK(outcomeText(joined.outcome()) == "cancelled");
  CHECK_FALSE(task->hasEnded());
  CHECK(task->name() == "child");
  end.set();
  CHECK(task->hasEnded());
  CHECK(scope.outcome().hasValue());
  task.reset();
}

TEST_CASE("a task of a value that cannot be copied has no join") {
  static_assert(CanJoin<Task<int>>);
  static_assert(!CanJoin<Task<std::unique_ptr<int>>>);
  static_assert(CanCancel<Task<std::unique_ptr<int>>>);
}
