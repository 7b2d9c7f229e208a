// Which errors a scope fails with: each error once, and none that follows from the end of the scope.
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::outcomeText;
using testing::Scheduler;
using OnError = SupervisorOptions::OnError;
using OnExit = SupervisorOptions::OnExit;

namespace {

Do<void> resting(int milliseconds) { return Do<void>::lift(sleepFor(milliseconds * 1ms)); }
Do<int> failingAfter(int milliseconds) {
  return resting(milliseconds).flatMap([] { return Do<int>::raiseError("first"); });
}
const auto ignored = [](const auto&...) {};

using Body = std::function<Do<void>(const Supervisor&, const Task<int>&)>;

/// A scope whose first child fails with "first" after 1 ms, or as many as given.
Do<void> besideFailing(const Body& body, SupervisorOptions options, int milliseconds = 1) {
  return supervised(
      [=](const Supervisor& supervisor) {
        return supervisor.spawn(failingAfter(milliseconds)).flatMap([=](const Task<int>& failing) {
          return body(supervisor, failing);
        });
      },
      options);
}

Do<void> spawnAndJoinForGood(const Supervisor& supervisor) {
  return supervisor.spawn(Do<void>::now())
      .flatMap([](const Task<void>& task) { return task.join(); })
      .flatMap([supervisor] { return spawnAndJoinForGood(supervisor); });
}

}  // namespace

TEST_CASE("failFast: the scope fails with the first error alone, for any joins and spawns meanwhile") {
  const auto joining = [](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(failing.join().map(ignored)).flatMap([](const Task<void>&) {
      return resting(50);
    });
  };
  const auto twoJoining = [joining](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(failing.join()).flatMap([=](const Task<int>&) {
      return joining(supervisor, failing);
    });
  };
  const auto validating = [](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(resting(20)).flatMap([failing](const Task<void>& other) {
      return validate2(failing.join(), other.join()).map(ignored);
    });
  };
  const auto joiningBoth = [](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(resting(20)).flatMap([failing](const Task<void>& other) {
      return tuple2(parallel(other.join()), parallel(failing.join())).map(ignored);
    });
  };
  const auto spawning = [](const Supervisor& supervisor, const Task<int>& failing) {
    return failing.join().attempt().flatMap(
        [supervisor](const Try<int>&) { return supervisor.spawn(resting(1)).map(ignored); });
  };
  const auto siblingSpawning = [spawning](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(spawning(supervisor, failing)).flatMap([](const Task<void>&) {
      return resting(50);
    });
  };
  const auto accepting = [](const Supervisor& supervisor, const Task<int>&) {
    return repeat(resting(1).flatMap([supervisor] { return supervisor.spawn(resting(3)).map(ignored); }), 20);
  };
  const std::vector<std::pair<std::string, Body>> bodies = {
      {"joining", joining},         {"twoJoining", twoJoining}, {"validating", validating},
      {"joiningBoth", joiningBoth}, {"spawning", spawning},     {"siblingSpawning", siblingSpawning},
      {"accepting", accepting}};
  for (const auto& [name, body] : bodies)
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      CAPTURE(name);
      CAPTURE(seed);
      const auto program =
          besideFailing(body, {OnExit::join, OnError::failFast}, name == "accepting" ? 5 : 1);
      CHECK(outcomeText(Scheduler(seed).run(program)) == "first");
    }
}

TEST_CASE("failFast: the body's own error is delivered after the first error") {
  const Body body = [](const Supervisor&, const Task<int>& failing) {
    return failing.join()
        .handleError([](const std::exception_ptr&) { return Do<int>::raiseError("own"); })
        .map(ignored);
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text =
        outcomeText(Scheduler(seed).run(besideFailing(body, {OnExit::join, OnError::failFast})));
    CHECK((text == "first" || text == "[first, own]"));
  }
}

TEST_CASE("isolated: an error that several joins have delivered fails the scope once") {
  const Body body = [](const Supervisor& supervisor, const Task<int>& failing) {
    return supervisor.spawn(failing.join()).flatMap([=](const Task<int>&) {
      return supervisor.spawn(failing.join()).flatMap([failing](const Task<int>&) {
        return failing.join().attempt().map(ignored);
      });
    });
  };
  CHECK(outcomeText(Scheduler().run(besideFailing(body, {OnExit::join, OnError::isolated}))) == "first");
}

TEST_CASE("a task that was cancelled by itself still fails the child that joins it") {
  const auto program = Supervisor::scoped({.onExit = OnExit::join}).flatMap([](const Supervisor& supervisor) {
    return supervisor.spawn(Event().wait()).flatMap([supervisor](const Task<void>& waiting) {
      return supervisor.spawn(waiting.join()).flatMap([waiting](const Task<void>&) {
        return waiting.cancel();
      });
    });
  });
  CHECK(outcomeText(Scheduler().run(program)) == TaskCancelled().what());
}

TEST_CASE("an error that one join has delivered is not delivered again if another join loses a race") {
  const Body body = [](const Supervisor&, const Task<int>& failing) {
    const auto handled = failing.join().attempt().map(ignored);
    const auto loses =
        race(failing.join(), resting(1)).map(ignored).handleError([](const std::exception_ptr&) {
          return Do<void>::now();
        });
    return tuple2(parallel(handled), parallel(loses)).map(ignored);
  };
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    CHECK(Scheduler(seed).run(besideFailing(body, {OnExit::join, OnError::isolated})).hasValue());
}

TEST_CASE("an error that a join delivers to no function fails the scope if the join loses a race") {
  using Joining = Do<int> (*)(const Task<int>&);
  const std::vector<Joining> joins{
      [](const Task<int>& task) { return task.join(); },
      [](const Task<int>& task) { return task.join().map([](int value) { return value; }); },
      [](const Task<int>& task) {
        return task.join().flatMap([](int value) { return Do<int>::now(value); });
      },
      [](const Task<int>& task) {
        return resource(Do<void>::now(), [] {}).flatMap([task] { return task.join(); });
      },
      [](const Task<int>& task) {
        const auto held = resource(Do<void>::now(), [] {}).flatMap([task] { return task.join(); });
        return held.flatMap([](int value) { return Do<int>::now(value); }).named("joining");
      }};
  for (const Joining joining : joins) {
    const Body body = [joining](const Supervisor&, const Task<int>& failing) {
      return race(joining(failing), resting(5)).map(ignored);
    };
    CHECK(Scheduler().run(besideFailing(body, {OnExit::join, OnError::isolated})).hasError());
  }
}

TEST_CASE("an error that a join delivers to a handler does not fail the scope if the handler loses a race") {
  const Body body = [](const Supervisor&, const Task<int>& failing) {
    const auto handled = failing.join().map([](int value) { return value; }).handleError([](const auto&) {
      return resting(9).map([] { return 0; });
    });
    return race(handled, resting(5)).map(ignored);
  };
  CHECK(Scheduler().run(besideFailing(body, {OnExit::join, OnError::isolated})).hasValue());
}

TEST_CASE("an error whose join has lost a race stays before the errors that were raised after it") {
  const auto failing = [](int milliseconds, const char* text) {
    return resting(milliseconds).flatMap([text] { return Do<int>::raiseError(text); });
  };
  const auto program =
      Supervisor::scoped({.onExit = OnExit::join}).flatMap([=](const Supervisor& supervisor) {
        return supervisor.spawn(failing(1, "first")).flatMap([=](const Task<int>&) {
          return supervisor.spawn(failing(2, "second")).flatMap([=](const Task<int>& second) {
            return supervisor.spawn(failing(3, "third")).flatMap([=](const Task<int>&) {
              return race(second.join(), resting(5)).map(ignored);
            });
          });
        });
      });
  CHECK(outcomeText(Scheduler().run(program)) == "[first, second, third]");
}

TEST_CASE("a child may fail with the error of a supervisor that has ended, whatever its address was") {
  const auto refusedBy = [](const auto& given) {
    const auto late = supervised([](const Supervisor& supervisor) {
      supervisor.requestStop();
      return supervisor.spawn(Do<int>::now(1)).attempt();
    });
    return late.flatMap(given).run();
  };
  const auto failingWith = [](const Try<Task<int>>& refused) {
    return supervised(
        [error = refused.error()](const Supervisor& supervisor) {
          return supervisor.spawn(Do<int>::delay([error]() -> int { std::rethrow_exception(error); }))
              .map(ignored);
        },
        {OnExit::join, OnError::isolated});
  };
  CHECK(outcomeText(Scheduler().run(refusedBy(failingWith))) == Closed().what());
}

TEST_CASE("a scope that is asked to stop while its children spawn and join is cancelled, on two threads") {
  ThreadPool pool(2);
  const auto scope = Supervisor::scoped({.onExit = OnExit::join}).flatMap([](const Supervisor& supervisor) {
    return supervisor.spawn(spawnAndJoinForGood(supervisor)).flatMap([supervisor](const Task<void>&) {
      return supervisor.spawn(spawnAndJoinForGood(supervisor)).map(ignored);
    });
  });
  const auto program = scope.run().flatMap([] { return Do<void>::now(); });  // which sees the request
  for (int i = 0; i < 100; ++i) {
    const StopSource stop;
    std::promise<std::string> text;
    program.onComplete([&](const Outcome<void>& outcome) { text.set_value(outcomeText(outcome)); }, pool,
                       stop.token());
    std::this_thread::sleep_for(200us);
    stop.requestStop();
    CHECK(text.get_future().get() == "cancelled");
  }
}

TEST_CASE("an error that a masked join yields to the loser of a race fails the scope once") {
  const auto program = Supervisor::scoped({.onExit = OnExit::join}).flatMap([](const Supervisor& supervisor) {
    return supervisor.spawn(failingAfter(5)).flatMap([](const Task<int>& failing) {
      const auto joining =
          resource(Do<void>::now(), [] {}).intransitiveFlatMap([failing] { return mask(failing.join()); });
      return race(joining, resting(1)).map(ignored);
    });
  });
  CHECK(outcomeText(Scheduler().run(program)) == "first");
}

TEST_CASE("a child that throws Cancelled, and a release of which fails, fails its scope with that error") {
  const auto child =
      resource(Do<void>::now(), [] { throw std::runtime_error("release"); }).map([] { throw Cancelled(); });
  const auto program =
      supervised([child](const Supervisor& supervisor) { return supervisor.spawn(child).map(ignored); },
                 {OnExit::join, OnError::failFast});
  CHECK(outcomeText(Scheduler().run(program)) == "release");
}
