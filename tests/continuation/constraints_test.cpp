// A call with a wrong argument is refused by constraints: `requires` sees that, and functions of the user's
// are called instead.
#include <doctest/doctest.h>

#include <boost/asio/use_future.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/asio.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/observe_runs.hpp"
#include "tapestry/continuation/parallel/par_for_each.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/random.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/run_observer.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/track_runs.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"

using namespace tapestry;

namespace {

namespace constraints {

using Program = UnitContinuation<int>;
using MoveOnly = std::unique_ptr<int>;
using MakesProgram = Program (*)(int);
using Maps = int (*)(int);
using Makes = int (*)();
struct Point {
  int x;
};
struct Slot {
  using Type = int;
  static int initial() { return 0; }
};

// Each line: what the function accepts, and what it refuses.
static_assert(TAPESTRY_CALLABLE(tapestry::now, int) && !TAPESTRY_CALLABLE(tapestry::now, MoveOnly));
static_assert(TAPESTRY_CALLABLE(tapestry::async<int>, void (*)(Callback<int>)));
static_assert(!TAPESTRY_CALLABLE(tapestry::async<int>, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::async, void (*)(Callback<int>)));
static_assert(TAPESTRY_CALLABLE(tapestry::delay, Makes) && !TAPESTRY_CALLABLE(tapestry::delay, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::delay, Mutable<int>));
static_assert(TAPESTRY_CALLABLE(tapestry::suspend, Program (*)()) &&
              !TAPESTRY_CALLABLE(tapestry::suspend, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::shift, Executor&) && !TAPESTRY_CALLABLE(tapestry::shift, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::execute, Executor&, Makes));
static_assert(!TAPESTRY_CALLABLE(tapestry::execute, Executor&, Maps));
static_assert(TAPESTRY_CALLABLE(tapestry::blocking, Makes) && !TAPESTRY_CALLABLE(tapestry::blocking, Maps));
static_assert(TAPESTRY_CALLABLE(tapestry::tailRecM, int, UnitContinuation<Step<int, int>> (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, int, MakesProgram));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, MoveOnly,
                                 UnitContinuation<Step<MoveOnly, int>> (*)(MoveOnly)));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, int, Unique<UnitContinuation<Step<int, int>>, int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, int, Mutable<UnitContinuation<Step<int, int>>, int>));
static_assert(TAPESTRY_CALLABLE(tapestry::repeat, Program, int) &&
              !TAPESTRY_CALLABLE(tapestry::repeat, Nothing, int));
static_assert(TAPESTRY_CALLABLE(tapestry::repeatUntil, Program, bool (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::repeatUntil, Program, bool (*)(Nothing)));
static_assert(!TAPESTRY_CALLABLE(tapestry::repeatUntil, Program, Unique<bool, int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::repeatUntil, UnitContinuation<void>, bool (*)()));
static_assert(TAPESTRY_CALLABLE(tapestry::forever, Program) &&
              !TAPESTRY_CALLABLE(tapestry::forever, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::memoize, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::memoize, UnitContinuation<MoveOnly>));
static_assert(TAPESTRY_CALLABLE(tapestry::sleepFor, std::chrono::seconds) &&
              !TAPESTRY_CALLABLE(tapestry::sleepFor, int));
static_assert(TAPESTRY_CALLABLE(tapestry::sleepUntil, Clock::TimePoint));
static_assert(!TAPESTRY_CALLABLE(tapestry::sleepUntil, std::chrono::seconds));
static_assert(TAPESTRY_CALLABLE(tapestry::on, Executor&, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::on, Executor&, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::mask, Program) && !TAPESTRY_CALLABLE(tapestry::mask, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::ensure, Program, UnitContinuation<void>));
static_assert(!TAPESTRY_CALLABLE(tapestry::ensure, Program, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::onStop, Program, UnitContinuation<Errors>));
static_assert(!TAPESTRY_CALLABLE(tapestry::onStop, Program, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::local<Slot>, int, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::local<Slot>, Nothing, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::withClock, Clock&, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::withClock, Nothing, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::withRandom, Random&, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::withRandom, Nothing, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::withObserver, RunObserver&, Program));
static_assert(!TAPESTRY_CALLABLE(tapestry::withObserver, Nothing, Program) &&
              !TAPESTRY_CALLABLE(tapestry::withObserver, RunObserver&, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::observeRuns, RunObserver*) &&
              !TAPESTRY_CALLABLE(tapestry::observeRuns, RunObserver&));
static_assert(TAPESTRY_CALLABLE(tapestry::trackRuns, bool) &&
              !TAPESTRY_CALLABLE(tapestry::trackRuns, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::dumpRuns, std::ostream&) &&
              !TAPESTRY_CALLABLE(tapestry::dumpRuns, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::describe, std::exception_ptr) &&
              !TAPESTRY_CALLABLE(tapestry::describe, std::string));
static_assert(TAPESTRY_CALLABLE(tapestry::traceOf, std::exception_ptr) &&
              !TAPESTRY_CALLABLE(tapestry::traceOf, std::string));
static_assert(TAPESTRY_CALLABLE(tapestry::extend::noteStep, std::exception_ptr, std::string) &&
              !TAPESTRY_CALLABLE(tapestry::extend::noteStep, std::exception_ptr, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::extend::printStep, std::string) &&
              !TAPESTRY_CALLABLE(tapestry::extend::printStep, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::setDirectStackSize, std::size_t) &&
              !TAPESTRY_CALLABLE(tapestry::setDirectStackSize, Nothing));
static_assert(TAPESTRY_CALLABLE(UnitContinuationMonad::map, Program, Maps) &&
              !TAPESTRY_CALLABLE(UnitContinuationMonad::map, int, Maps));
static_assert(TAPESTRY_CALLABLE(UnitContinuationMonad::flatMap, Program, MakesProgram) &&
              !TAPESTRY_CALLABLE(UnitContinuationMonad::flatMap, int, MakesProgram));
static_assert(TAPESTRY_CALLABLE(UnitContinuationMonad::mask, Program) &&
              !TAPESTRY_CALLABLE(UnitContinuationMonad::mask, int));
static_assert(TAPESTRY_CALLABLE(UnitContinuationMonad::onStop, Program, UnitContinuation<Errors>) &&
              !TAPESTRY_CALLABLE(UnitContinuationMonad::onStop, int, UnitContinuation<Errors>));
static_assert(!TAPESTRY_CALLABLE(tapestry::withObserver, RunObserver&, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::race, Program, Program) &&
              !TAPESTRY_CALLABLE(tapestry::race, Program, int));
static_assert(TAPESTRY_CALLABLE(tapestry::raceAll, std::vector<Program>));
static_assert(!TAPESTRY_CALLABLE(tapestry::raceAll, std::vector<int>));
static_assert(TAPESTRY_CALLABLE(tapestry::tuple2, Parallel<Program>, Parallel<Program>));
static_assert(!TAPESTRY_CALLABLE(tapestry::tuple2, Parallel<Program>, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::tupleN, Parallel<Program>) &&
              !TAPESTRY_CALLABLE(tapestry::tupleN, Program));
static_assert(TAPESTRY_CALLABLE(tapestry::timeout, Program, std::chrono::seconds));
static_assert(!TAPESTRY_CALLABLE(tapestry::timeout, Program, int));
static_assert(TAPESTRY_CALLABLE(tapestry::parForEach, std::vector<int>, int, MakesProgram));
static_assert(!TAPESTRY_CALLABLE(tapestry::parForEach, std::vector<int>, int, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::parForEach, std::vector<MoveOnly>, int,
                                 Program (*)(const MoveOnly&)));
static_assert(TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<int>, int, MakesProgram));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, int, int, MakesProgram));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<int>, int, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, std::ranges::owning_view<std::vector<int>>, int,
                                 MakesProgram));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<MoveOnly>, int,
                                 Program (*)(const MoveOnly&)));
static_assert(TAPESTRY_CALLABLE(tapestry::direct<UnitContinuation>, Makes));
static_assert(!TAPESTRY_CALLABLE(tapestry::direct<UnitContinuation>, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::direct<std::vector>, Makes));
static_assert(!TAPESTRY_CALLABLE(tapestry::direct<UnitContinuation>, Coroutine<int> (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::direct, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::await, Program) && !TAPESTRY_CALLABLE(tapestry::await, int));
static_assert(TAPESTRY_CALLABLE(tapestry::asyncRun, Program, boost::asio::use_future_t<>));
static_assert(!TAPESTRY_CALLABLE(tapestry::asyncRun, Program, int));
static_assert(!TAPESTRY_CALLABLE(tapestry::asyncRun, Program, void (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::asyncRun, int, boost::asio::use_future_t<>));

static_assert(TAPESTRY_MEMBER_CALLABLE(map, Program, Maps) &&
              !TAPESTRY_MEMBER_CALLABLE(map, Program, Nothing));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, Program, Mutable<int, int>));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, UnitContinuation<void>, Maps));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, UnitContinuation<Point>, int Point::*));
static_assert(TAPESTRY_MEMBER_CALLABLE(flatMap, Program, MakesProgram));
static_assert(!TAPESTRY_MEMBER_CALLABLE(flatMap, const Program&, Maps));
static_assert(!TAPESTRY_MEMBER_CALLABLE(flatMap, Program, Mutable<Program, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(onComplete, Program, void (*)(Outcome<int>)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(onComplete, Program, Maps));
static_assert(TAPESTRY_MEMBER_CALLABLE(blockingAwait, Program) &&
              TAPESTRY_MEMBER_CALLABLE(blockingAwait, Program, Executor&));
static_assert(!TAPESTRY_MEMBER_CALLABLE(blockingAwait, Program, std::chrono::seconds));

// A program of captures that cannot be copied is moved.
constexpr auto ofMoveOnly = [] { return delay([kept = MoveOnly()] { return kept == nullptr; }); };
using OfMoveOnly = decltype(ofMoveOnly());
static_assert(TAPESTRY_MEMBER_CALLABLE(map, OfMoveOnly, int (*)(bool)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, const OfMoveOnly&, int (*)(bool)));

}  // namespace constraints

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  for (; times > 0; --times) result += text;
  return result;
}

int mask(std::string_view text) { return static_cast<int>(text.size()); }

bool race(double, std::string_view) { return true; }

template <class T>
int timeout(const T&, std::string_view) {
  return 1;
}

std::string ensure(UnitContinuation<int> program, const std::string& why) {
  return why + std::to_string(program.blockingAwait());
}

}  // namespace

TEST_CASE(
    "a function of the user's that has a combinator's name is called, also where it converts its arguments") {
  CHECK(repeat("ab", 2) == "abab");
  CHECK(mask("abc") == 3);
  CHECK(race(1, "b"));
  CHECK(timeout(1, "soon"));
  CHECK(ensure(now(1), "because ") == "because 1");
}

TEST_CASE("arguments that a combinator converts are right for it") {
  struct Convertible {
    operator UnitContinuation<void>() const { return now(); }
    operator Clock::Duration() const { return std::chrono::hours(1); }
    operator std::uint64_t() const { return 2; }
    operator StopToken() const { return {}; }
  };
  CHECK(ensure(now(1), Convertible()).blockingAwait() == 1);
  CHECK(timeout(sleepFor(std::chrono::milliseconds(1)), Convertible()).blockingAwait());
  repeat(now(1), Convertible()).blockingAwait();
  CHECK(now(1).blockingAwait(Convertible()) == 1);
  ThreadPool pool(1);
  CHECK(now(1).blockingAwait(std::ref(pool)) == 1);
}
