// What a request to stop reaches: scopes that are opened in branches, in a timeout, and in `supervised`.
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/concurrent/background.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/dispatcher.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::outcomeText;
using testing::Scheduler;
using OnExit = SupervisorOptions::OnExit;

namespace {

Do<void> sleeping(int milliseconds) { return Do<void>::lift(sleepFor(milliseconds * 1ms)); }

/// A scope that lets its child run to its end, which adds "saved " to the log, and "ended " in any case.
Do<void> savingScope(std::string& log) {
  const auto saving =
      ensure(sleeping(5).map([&log] { log += "saved "; }), Do<void>::delay([&log] { log += "ended "; }));
  return Supervisor::scoped({.onExit = OnExit::join}).flatMap([saving](const Supervisor& supervisor) {
    return supervisor.spawn(saving).map([](const Task<void>&) {});
  });
}

/// A scope that waits for a child that never ends.
const auto waitsForGood = [](const Supervisor& supervisor) {
  return supervisor.spawn(Event().wait()).map([](const Task<void>&) {});
};
Do<Supervisor> joiningScope() { return Supervisor::scoped({.onExit = OnExit::join}); }

/// The outcome of the program, which is asked to stop after 5 ms.
template <class A>
std::string whenStopped(const Do<A>& program, std::uint64_t seed = 0) {
  const StopSource stop;
  const auto stopping = sleeping(5).map([stop] { stop.requestStop(); });
  return outcomeText(Scheduler(seed).run(tuple2(parallel(program.run()), parallel(stopping)), stop));
}

template <class F>
void forSeeds(const F& check) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) check(seed);
}

}  // namespace

TEST_CASE("a scope that joins its children joins them wherever it is, unless it is asked to stop") {
  using Place = std::function<Do<void>(const Do<void>&)>;
  const auto never = [] { return Event().wait(); };
  const auto drop = [](const auto&...) {};
  const std::vector<std::pair<std::string, Place>> places = {
      {"alone", [](const Do<void>& scope) { return scope; }},
      {"supervised",
       [](const Do<void>& scope) { return supervised([=](const Supervisor&) { return scope; }); }},
      {"winner", [=](const Do<void>& scope) { return race(scope, never()).map(drop); }},
      {"second winner", [=](const Do<void>& scope) { return race(never(), scope).map(drop); }},
      {"winner in winner",
       [=](const Do<void>& scope) { return race(race(scope, never()), never()).map(drop); }},
      {"timeout in winner",
       [=](const Do<void>& scope) { return race(timeout(scope, 1h), never()).map(drop); }},
      {"winner of many",
       [=](const Do<void>& scope) {
         return raceAll(std::vector{never(), scope, never()});
       }},
      {"tuple2",
       [=](const Do<void>& scope) { return tuple2(parallel(scope), parallel(sleeping(1))).map(drop); }},
      {"parTraverse",
       [=](const Do<void>& scope) {
         return parTraverse(std::vector{1, 2}, 2, [=](int i) { return i == 1 ? scope : sleeping(1); })
             .map(drop);
       }},
  };
  for (const auto& [name, place] : places)
    forSeeds([&](std::uint64_t seed) {
      CAPTURE(name);
      std::string log;
      CHECK(outcomeText(Scheduler(seed).run(place(savingScope(log)))) ==
            outcomeText(Outcome<void>::value({})));
      CHECK(log == "saved ended ");
    });
}

TEST_CASE("a decided race asks the scopes of its losers to stop, also of losers that have ended") {
  forSeeds([](std::uint64_t seed) {
    std::string loserLog;
    Scheduler scheduler(seed);
    const auto failed = savingScope(loserLog).flatMap([] { return Do<void>::raiseError("late"); });
    const auto program = race(failed, sleeping(1)).map([](const auto& won) { return won.index(); });
    CHECK(scheduler.run(program).get() == 1);
    CHECK(loserLog == "ended ");
  });
}

TEST_CASE("a program that fails beside another asks the other's scope to stop, and not its own") {
  forSeeds([](std::uint64_t seed) {
    std::string own, others;
    const auto failing = savingScope(own).flatMap([] { return Do<void>::raiseError("no"); });
    const auto program =
        tuple2(parallel(savingScope(others)), parallel(sleeping(1).flatMap([failing] { return failing; })));
    CHECK(outcomeText(Scheduler(seed).run(program)) == "no");
    CHECK(own == "saved ended ");
    CHECK(others == "ended ");
  });
}

TEST_CASE("a background task of a race's winner continues after the race") {
  forSeeds([](std::uint64_t seed) {
    const auto program =
        race(background(sleeping(5).map([] { return 7; })), Event().wait()).flatMap([](const auto& won) {
          return std::get<0>(won).join();
        });
    CHECK(Scheduler(seed).run(program).get() == 7);
  });
}

TEST_CASE("a dispatcher that joins runs what it has accepted, also in supervised") {
  bool ran = false;
  const auto body = [&ran](const Supervisor&) {
    return Dispatcher::scoped({.onExit = OnExit::join}).map([&ran](const Dispatcher& dispatcher) {
      CHECK(dispatcher.post(sleeping(1).map([&ran] { ran = true; })));
    });
  };
  CHECK(Scheduler().run(supervised(body)).hasValue());
  CHECK(ran);
}

TEST_CASE("in supervised a release may need an earlier background task") {
  const auto body = [](const Supervisor&) {
    const Channel<int> toSave(1);
    const Event saved;
    const auto saver = toSave.receive().map([saved](int) { saved.set(); });
    return background(saver).flatMap([=](const Task<void>&) {
      const auto flush = [=](int) { return toSave.send(1).flatMap([saved] { return saved.wait(); }); };
      return resource(Do<int>::now(1), flush).map([](int) {});
    });
  };
  CHECK(Scheduler().run(supervised(body)).hasValue());
}

TEST_CASE("a request to stop reaches a scope that has left the branch or the timeout that opened it") {
  const auto first = [](const auto& both) { return waitsForGood(std::get<0>(both)); };
  const auto later = [] { return sleeping(1); };
  const auto traversed = [=] {
    return parTraverse(std::vector{1, 2}, 2, [](int) { return joiningScope(); })
        .flatMap([](const std::vector<Supervisor>& all) { return waitsForGood(all.back()); });
  };
  forSeeds([&](std::uint64_t seed) {
    CHECK(whenStopped(joiningScope().flatMap(waitsForGood), seed) == "cancelled");
    CHECK(whenStopped(timeout(joiningScope(), 1h).flatMap(waitsForGood), seed) == "cancelled");
    CHECK(whenStopped(timeout(timeout(joiningScope(), 2h), 1h).flatMap(waitsForGood), seed) == "cancelled");
    CHECK(whenStopped(tuple2(parallel(joiningScope()), parallel(later())).flatMap(first), seed) ==
          "cancelled");
    CHECK(whenStopped(race(joiningScope(), Event().wait()).flatMap(first), seed) == "cancelled");
    CHECK(whenStopped(race(timeout(joiningScope(), 1h), Event().wait()).flatMap(first), seed) == "cancelled");
    CHECK(whenStopped(traversed(), seed) == "cancelled");
  });
}

TEST_CASE("a scope that has left its branch is a part of the branch around it") {
  forSeeds([](std::uint64_t seed) {
    const auto inner = tuple2(parallel(joiningScope()), parallel(sleeping(1)));
    const auto waiting = inner.flatMap([](const auto& both) { return waitsForGood(std::get<0>(both)); });
    // the race is lost while the end of the scope waits
    const auto program = race(waiting.run(), sleeping(5)).map([](const auto& won) { return won.index(); });
    CHECK(Scheduler(seed).run(program).get() == 1);
    const auto limited = timeout(waiting.run(), 5ms);
    CHECK(outcomeText(Scheduler(seed).run(limited)) == TimeoutError().what());
  });
}

TEST_CASE("the first error of a child also reaches a scope of the body that waits at its end") {
  const auto body = [](const Supervisor& supervisor) {
    const auto failing = sleeping(5).flatMap([] { return Do<void>::raiseError("no"); });
    return supervisor.spawn(failing).flatMap(
        [](const Task<void>&) { return joiningScope().flatMap(waitsForGood); });
  };
  forSeeds([&](std::uint64_t seed) { CHECK(outcomeText(Scheduler(seed).run(supervised(body))) == "no"); });
}

TEST_CASE("a body that throws Cancelled ends supervised as cancelled") {
  const auto body = [](const Supervisor& supervisor) {
    return supervisor.spawn(Event().wait()).map([](const Task<void>&) { throw Cancelled(); });
  };
  CHECK(outcomeText(Scheduler().run(supervised(body))) == "cancelled");
}

TEST_CASE("scopes that races and timeouts pass on, on two threads, miss no request to stop") {
  ThreadPool pool(2);
  const auto pause = Do<void>::lift(sleepFor(10us));
  const auto passedOn = race(timeout(joiningScope(), 1h), pause.flatMap([] { return Event().wait(); }));
  const auto program = passedOn.flatMap([](const auto& won) { return waitsForGood(std::get<0>(won)); });
  for (int i = 0; i < 200; ++i) {
    const auto limit = std::chrono::microseconds(5 * (i % 40));
    const auto outcome =
        timeout(tuple2(parallel(program.run()), parallel(pause)), limit).attempt().blockingAwait(pool);
    CHECK(errorAs<TimeoutError>(outcome.error()));
  }
}
