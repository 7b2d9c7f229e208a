// A call with a wrong argument is refused by constraints, which `requires` sees.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/timeout.hpp"

using namespace tapestry;

namespace {

namespace constraints {

using Ints = Do<int>;
using MoveOnly = std::unique_ptr<int>;
using MakesInts = Ints (*)(int);
using Maps = int (*)(int);
using Makes = int (*)();
using Handles = Ints (*)(std::exception_ptr);
using Closes = void (*)(int&);

// Each line: what the function accepts, and what it refuses.
static_assert(TAPESTRY_CALLABLE(Ints::now, int) && !TAPESTRY_CALLABLE(Ints::now, std::string));
static_assert(!TAPESTRY_CALLABLE(Do<MoveOnly>::now, MoveOnly));
static_assert(TAPESTRY_CALLABLE(Do<std::string>::now, const char*));
static_assert(TAPESTRY_CALLABLE(Ints::delay, Makes) && !TAPESTRY_CALLABLE(Ints::delay, Maps));
static_assert(TAPESTRY_CALLABLE(Ints::suspend, Ints (*)()) && !TAPESTRY_CALLABLE(Ints::suspend, Makes));
static_assert(TAPESTRY_CALLABLE(Ints::async, void (*)(Callback<Try<int>>)) &&
              !TAPESTRY_CALLABLE(Ints::async, Maps));
static_assert(TAPESTRY_CALLABLE(Ints::raiseError, const char*) &&
              !TAPESTRY_CALLABLE(Ints::raiseError, MoveOnly));
static_assert(TAPESTRY_CALLABLE(Ints::lift, UnitContinuation<int>) && !TAPESTRY_CALLABLE(Ints::lift, Ints));
static_assert(TAPESTRY_CALLABLE(Ints::execute, Executor&, Makes) &&
              !TAPESTRY_CALLABLE(Ints::execute, Executor&, Maps));
static_assert(TAPESTRY_CALLABLE(tapestry::lift, UnitContinuation<int>) &&
              !TAPESTRY_CALLABLE(tapestry::lift, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::resource, Ints, Closes) &&
              !TAPESTRY_CALLABLE(tapestry::resource, Ints, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::resource, Do<MoveOnly>, void (*)(MoveOnly&)));
static_assert(!TAPESTRY_CALLABLE(tapestry::resource, Ints, void (*)(const std::string&)));
static_assert(TAPESTRY_CALLABLE(tapestry::resource, Ints, UnitContinuation<Errors> (*)(int)) &&
              !TAPESTRY_CALLABLE(tapestry::resource, Ints, UnitContinuation<Try<void>> (*)(int)));
static_assert(TAPESTRY_CALLABLE(tapestry::cancellableResource, Ints, Closes));
static_assert(!TAPESTRY_CALLABLE(tapestry::cancellableResource, Ints, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::scoped, Ints, Closes) &&
              TAPESTRY_CALLABLE(tapestry::scoped, Makes, Closes));
static_assert(!TAPESTRY_CALLABLE(tapestry::scoped, Ints, Nothing) &&
              !TAPESTRY_CALLABLE(tapestry::scoped, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::scoped, Makes, Nothing));
static_assert(!TAPESTRY_CALLABLE(tapestry::scoped, Mutable<int>, Closes));
static_assert(TAPESTRY_CALLABLE(tapestry::ensure, Ints, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::ensure, Ints, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::ensure, Ints, UnitContinuation<Try<void>>));
static_assert(TAPESTRY_CALLABLE(tapestry::mask, Ints) && !TAPESTRY_CALLABLE(tapestry::mask, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::on, Executor&, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::on, Nothing, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::memoize, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::memoize, Do<MoveOnly>));
static_assert(TAPESTRY_CALLABLE(tapestry::tailRecM, int, Do<Step<int, int>> (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, int, MakesInts));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, int, Unique<Do<Step<int, int>>, int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::tailRecM, MoveOnly, Do<Step<MoveOnly, int>> (*)(MoveOnly)));
static_assert(TAPESTRY_CALLABLE(tapestry::repeat, Ints, int) &&
              !TAPESTRY_CALLABLE(tapestry::repeat, Ints, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::repeatUntil, Ints, bool (*)(int)));
static_assert(!TAPESTRY_CALLABLE(tapestry::repeatUntil, Ints, bool (*)(Nothing)));
static_assert(TAPESTRY_CALLABLE(tapestry::forever, Ints) && !TAPESTRY_CALLABLE(tapestry::forever, int));
static_assert(TAPESTRY_CALLABLE(tapestry::retry, Ints, RetryPolicy) &&
              !TAPESTRY_CALLABLE(tapestry::retry, Ints, int));
static_assert(TAPESTRY_CALLABLE(tapestry::timeout, Ints, std::chrono::seconds));
static_assert(!TAPESTRY_CALLABLE(tapestry::timeout, Ints, int));
static_assert(TAPESTRY_CALLABLE(tapestry::race, Ints, Ints) && !TAPESTRY_CALLABLE(tapestry::race, Ints, int));
static_assert(!TAPESTRY_CALLABLE(tapestry::race, Ints, UnitContinuation<int>));
static_assert(TAPESTRY_CALLABLE(tapestry::raceAll, std::vector<Ints>) &&
              !TAPESTRY_CALLABLE(tapestry::raceAll, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::tuple2, Ints, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::tuple2, Ints, Parallel<Ints>));
static_assert(!TAPESTRY_CALLABLE(tapestry::tuple2, Ints, int) &&
              !TAPESTRY_CALLABLE(tapestry::tuple2, Parallel<Ints>, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::tupleN, Parallel<Ints>, Parallel<UnitContinuation<int>>));
static_assert(!TAPESTRY_CALLABLE(tapestry::tupleN, Parallel<Ints>, Ints));
static_assert(!TAPESTRY_CALLABLE(tapestry::tupleN, Ints, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::withClock, Clock&, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::withClock, Clock&, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::withRandom, Random&, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::withRandom, Random&, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::withObserver, RunObserver&, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::withObserver, RunObserver&, Makes));
static_assert(TAPESTRY_CALLABLE(tapestry::validate2, Ints, Ints) &&
              !TAPESTRY_CALLABLE(tapestry::validate2, Ints, int));
static_assert(TAPESTRY_CALLABLE(tapestry::validateN, Parallel<Ints>) &&
              !TAPESTRY_CALLABLE(tapestry::validateN, Ints));
static_assert(TAPESTRY_CALLABLE(tapestry::parSequence, std::vector<Ints>));
static_assert(!TAPESTRY_CALLABLE(tapestry::parSequence, std::vector<int>));
static_assert(TAPESTRY_CALLABLE(tapestry::parValidate, std::vector<Ints>));
static_assert(!TAPESTRY_CALLABLE(tapestry::parValidate, std::vector<int>));
static_assert(TAPESTRY_CALLABLE(tapestry::parForEach, std::vector<int>, int, MakesInts));
static_assert(!TAPESTRY_CALLABLE(tapestry::parForEach, std::vector<int>, int, Maps));
static_assert(!TAPESTRY_CALLABLE(tapestry::parForEach, int, int, MakesInts));
static_assert(TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<int>, int, MakesInts));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, int, int, MakesInts));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<int>, int, Ints (*)(const std::string&)));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverse, std::vector<MoveOnly>, int,
                                 Ints (*)(const MoveOnly&)));
static_assert(TAPESTRY_CALLABLE(tapestry::direct<Do>, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::direct<Do>, Maps));
static_assert(TAPESTRY_CALLABLE(tapestry::directScoped, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::directScoped, Maps));
static_assert(TAPESTRY_CALLABLE(Pool<int>::scoped, int, Ints, bool (*)(int&)));
static_assert(!TAPESTRY_CALLABLE(Pool<int>::scoped, int, Ints, Nothing));

static_assert(TAPESTRY_MEMBER_CALLABLE(map, Ints, Maps) && !TAPESTRY_MEMBER_CALLABLE(map, Ints, Nothing));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, Ints, Mutable<int, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(flatMap, Ints, MakesInts) &&
              !TAPESTRY_MEMBER_CALLABLE(flatMap, Ints, Maps));
static_assert(!TAPESTRY_MEMBER_CALLABLE(flatMap, Ints, UnitContinuation<Try<int>> (*)(int)));
static_assert(TAPESTRY_MEMBER_CALLABLE(intransitiveMap, Ints, Maps));
static_assert(!TAPESTRY_MEMBER_CALLABLE(intransitiveMap, Ints, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(intransitiveFlatMap, Ints, MakesInts));
static_assert(!TAPESTRY_MEMBER_CALLABLE(intransitiveFlatMap, const Ints&, Maps));
static_assert(TAPESTRY_MEMBER_CALLABLE(handleError, Ints, Handles));
static_assert(!TAPESTRY_MEMBER_CALLABLE(handleError, const Ints&, MakesInts));
static_assert(!TAPESTRY_MEMBER_CALLABLE(handleError, Ints, Mutable<Ints, std::exception_ptr>));
static_assert(TAPESTRY_MEMBER_CALLABLE(onComplete, Ints, void (*)(Outcome<int>)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(onComplete, Ints, Maps));
static_assert(TAPESTRY_MEMBER_CALLABLE(blockingAwait, Ints) &&
              TAPESTRY_MEMBER_CALLABLE(blockingAwait, Ints, Executor&));
static_assert(!TAPESTRY_MEMBER_CALLABLE(blockingAwait, Ints, std::chrono::seconds));
static_assert(TAPESTRY_MEMBER_CALLABLE(with, Pool<int>, int (*)(Handle<int>)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(with, Pool<int>, Makes));

}  // namespace constraints

/// As a library of a user's would choose between programs and plain values.
template <class T>
std::string kindOf(const T& value) {
  if constexpr (TAPESTRY_CALLABLE(tapestry::mask, T))
    return "program";
  else
    return "value " + std::to_string(value);
}

}  // namespace

TEST_CASE("a template of the user's may ask whether an operation accepts an argument") {
  CHECK(kindOf(Do<int>::now(1)) == "program");
  CHECK(kindOf(2) == "value 2");
}
