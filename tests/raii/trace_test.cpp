#include "tapestry/continuation/monad/trace.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/timeout.hpp"

using namespace tapestry;
using test::Delivery;

namespace {

using Lines = std::vector<std::string>;

std::string at(const std::string& operation, int line) { return operation + ':' + std::to_string(line); }

/// The places, as the operation or the name, and the line of this file.
Lines placesOf(const std::exception_ptr& error) {
  Lines lines;
  for (const Trace::Place& place : traceOf(error).places) {
    CHECK(std::string(place.location.file_name()).ends_with("trace_test.cpp"));
    lines.push_back(
        at(place.name.empty() ? place.operation : place.name, static_cast<int>(place.location.line())));
  }
  return lines;
}

template <class A>
std::exception_ptr failureOf(const Do<A>& program) {
  return program.attempt().blockingAwait().error();
}

int throwing() { throw std::runtime_error("no such user"); }

}  // namespace

TEST_CASE("a trace has the place where the error was raised and the places that it has passed") {
  const int line =
      __LINE__;  // each call on a line of its own: clang takes a chain's calls to be where it begins
  const auto delayed = Do<int>::delay(throwing);
  const auto mapped = delayed.map([](int x) { return x + 1; });
  const auto bound = mapped.flatMap([](int x) { return Do<int>::now(x); });
  const auto program = bound.named("query");
  const auto all =
      Lines{at("delay", line + 1), at("map", line + 2), at("flatMap", line + 3), at("query", line + 4)};
  CHECK(placesOf(failureOf(program)) == all);
  CHECK(placesOf(failureOf(program)) == all);  // each run raises an error of its own
}

TEST_CASE("a trace names the function that has raised the error") {
  const auto one = Do<int>::now(1);
  const auto isRaisedIn = [](const char* operation, int line, const auto& program) {
    const Lines lines = placesOf(failureOf(program));
    REQUIRE(!lines.empty());
    CHECK(lines[0] == at(operation, line));
  };
  isRaisedIn("map", __LINE__, one.map([](int) { return throwing(); }));
  isRaisedIn("flatMap", __LINE__, one.flatMap([](int) { return Do<int>::now(throwing()); }));
  isRaisedIn("flatMap", __LINE__, Do<int>::suspend([] { return Do<int>::now(throwing()); }));
  isRaisedIn("raiseError", __LINE__, Do<int>::raiseError("text"));
  isRaisedIn("raiseError", __LINE__, Do<int>::raiseError(std::make_exception_ptr(1)));
  isRaisedIn("handleError", __LINE__, Do<int>::raiseError("").handleError([](std::exception_ptr) {
    return Do<int>::now(throwing());
  }));
  isRaisedIn("async", __LINE__, Do<int>::async([](const Callback<Try<int>>&) { throwing(); }));
  isRaisedIn("async", __LINE__, Do<int>::async([](const Callback<Try<int>>&) {}));
  isRaisedIn("execute", __LINE__, Do<int>::execute(Executor::inlined(), throwing));
  const auto endless = Do<void>::lift(sleepFor(std::chrono::hours(1)));
  isRaisedIn("timeout", __LINE__, timeout(endless, std::chrono::milliseconds(0)));
}

TEST_CASE("an error that a handler raises again keeps its trace") {
  const auto failing = Do<int>::delay(throwing);
  const auto again = [](std::exception_ptr error) { return Do<int>::raiseError(error); };
  const auto error = failureOf(failing.handleError(again));
  CHECK(placesOf(error) == Lines{at("delay", __LINE__ - 3), at("raiseError", __LINE__ - 2)});
}

TEST_CASE("joins are places of the errors of their branches") {
  const auto failing = Do<int>::delay(throwing);
  const int raised = __LINE__ - 1;
  const auto one = Do<int>::now(1);
  const std::vector<int> elements{1};
  const auto passes = [&](const char* operation, int line, const auto& program) {
    CHECK(placesOf(failureOf(program)) == Lines{at("delay", raised), at(operation, line)});
  };
  passes("tupleN", __LINE__, tuple2(parallel(one), parallel(failing)));
  passes("tupleN", __LINE__, tupleN(parallel(one), parallel(failing), parallel(one)));
  passes("validateN", __LINE__, validate2(parallel(one), parallel(failing)));
  passes("parSequence", __LINE__, parSequence(std::vector{failing}));
  passes("parTraverse", __LINE__, parTraverse(elements, 1, [&](int) { return failing; }));
  CHECK(placesOf(failureOf(race(failing, failing))) == Lines{at("race", __LINE__)});
}

TEST_CASE("a loop is a place of the errors of its body") {
  using Round = Step<int, int>;
  const auto failing = Do<Round>::delay([] { return Round::done(throwing()); });
  const int raised = __LINE__ - 1;
  const auto loop = tailRecM(0, [=](int i) { return i == 2 ? failing : Do<Round>::now(Round::next(i + 1)); });
  CHECK(placesOf(failureOf(loop)) == Lines{at("delay", raised), at("tailRecM", __LINE__ - 1)});
}

TEST_CASE("several errors keep their traces in the error that stands for them") {
  const auto failing = [](const char* text) { return Do<int>::raiseError(text); };
  const int line = __LINE__ + 1;
  const auto both = validateN(parallel(failing("first")), parallel(failing("second"))).named("both");
  const auto error = failureOf(both);
  CHECK(placesOf(error) == Lines{at("validateN", line), at("both", line)});
  const auto* several = errorAs<MultipleException>(error);
  REQUIRE(several);
  CHECK(placesOf(several->errors()[0]) == Lines{at("raiseError", line - 2)});
  CHECK(describe(error).find("\n  error 2: second\n    raised in raiseError (") != std::string::npos);
}

TEST_CASE("an error passes awaits of fibers and of coroutines") {
  const auto failing = Do<int>::delay(throwing);
  const int raised = __LINE__ - 1;
  const int fiber = __LINE__ + 1;
  const auto onFiber = direct<Do>([=] { return await(failing) + 1; });
  CHECK(placesOf(failureOf(onFiber)) == Lines{at("delay", raised), at("await", fiber), at("direct", fiber)});

  const auto callee = [](Do<int> program) -> Coroutine<int> { co_return co_await program; };
  const int coroutine = __LINE__ + 1;
  const auto inCoroutine = direct<Do>([=]() -> Coroutine<int> { co_return co_await callee(onFiber); });
  const int inner = coroutine - 2;
  CHECK(placesOf(failureOf(inCoroutine)) == Lines{at("delay", raised), at("await", fiber),
                                                  at("direct", fiber), at("await", inner),
                                                  at("co_await", coroutine), at("direct", coroutine)});
}

TEST_CASE("an error that a block throws is raised in it") {
  const int line = __LINE__ + 1;
  CHECK(placesOf(failureOf(direct<Do>([] { return throwing(); }))) == Lines{at("direct", line)});
}

TEST_CASE("an error passes from thread to thread") {
  ThreadPool first(1);
  ThreadPool second(1);
  const int line = __LINE__ + 1;
  const auto there = Do<int>::execute(second, throwing).named("there");
  const auto here = Do<void>::execute(first, [] {}).flatMap([&] { return there; }).named("here");
  CHECK(placesOf(failureOf(here)) == Lines{at("execute", line), at("there", line), at("here", line + 1)});
}

TEST_CASE("the places where a run was started are the last ones") {
  const auto failing = Do<int>::delay(throwing);
  const int line = __LINE__ - 1;
  try {
    failing.blockingAwait();
  } catch (...) {
    CHECK(placesOf(std::current_exception()) == Lines{at("delay", line), at("blockingAwait", line + 3)});
  }
  Delivery<int> delivery;
  failing.onComplete(delivery.callback());
  CHECK(placesOf(delivery.outcome().error()) == Lines{at("delay", line), at("onComplete", __LINE__ - 1)});
}

TEST_CASE("each attempt of a retry raises a separate error") {
  const int line = __LINE__ + 1;
  const auto failing = Do<int>::raiseError("again");
  const auto error = failureOf(retry(failing, {.attempts = 3, .delay = {}}));
  CHECK(placesOf(error) == Lines{at("raiseError", line)});
}

TEST_CASE("an error from a million flatMaps deep has a short trace") {
  Do<int> program = Do<int>::delay(throwing);
  for (int i = 0; i < 1'000'000; ++i)
    program = std::move(program).flatMap([](int x) { return Do<int>::now(x); });
  const Trace trace = traceOf(failureOf(program));
  REQUIRE(trace.places.size() == 2);
  CHECK(trace.places[1].times == 1'000'000);
}
