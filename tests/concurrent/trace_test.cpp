#include "tapestry/continuation/monad/trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/dumped_runs.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using testing::Scheduler;

namespace {

using Passed = std::vector<std::string>;

std::string passed(const std::string& operation, int line) { return operation + ':' + std::to_string(line); }

/// The places that the error of the program has passed, each the operation or the name, and the line.
template <class A>
Passed passedBy(const Do<A>& program) {
  Passed lines;
  for (const auto& place : traceOf(Scheduler().run(program.attempt()).get().error()).places) {
    CHECK(std::string(place.location.file_name()).ends_with("concurrent/trace_test.cpp"));
    lines.push_back(
        passed(place.name.empty() ? place.operation : place.name, static_cast<int>(place.location.line())));
  }
  return lines;
}

/// The lines of the places, without the operations; the same line in a row once.
Passed linesOf(const Passed& places) {
  Passed lines;
  for (const auto& place : places) lines.push_back(place.substr(place.rfind(':')));
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

int failsAt3(int n) {
  if (n == 3) throw std::runtime_error("three");
  return n;
}

}  // namespace

TEST_CASE("the trace of a task's error has the places in the task, the task's name and the join") {
  const int line = __LINE__;  // each call on a line of its own: clang takes a chain's to be where it begins
  const auto failing = Do<int>::delay([] { return failsAt3(3); });
  const auto spawning = [failing](const Supervisor& scope) { return scope.spawn(failing, "loader"); };
  const auto joining = [](const Task<int>& task) { return task.join(); };
  const auto program = supervised([=](const Supervisor& supervisor) {
    const auto spawned = spawning(supervisor);
    return spawned.flatMap(joining);
  });
  CHECK(passedBy(program) ==
        Passed{passed("delay", line + 1), passed("loader", line + 2), passed("Task::join", line + 3)});
}

TEST_CASE(
    "the trace of an error of a stage's function names the stage, and the stages that the error has passed") {
  const int line = __LINE__;
  const auto numbers = Stream<int>::of({1, 2, 3, 4});
  const auto mapped = numbers.map(failsAt3);
  const auto parMapped = mapped.parMap(2, [](int n) { return Do<int>::now(n); });
  const auto buffered = parMapped.buffer(4);
  const auto all = buffered.toVector();
  const Passed places = passedBy(all);
  REQUIRE(!places.empty());
  CHECK(places[0] == passed("Stream::map", line + 2));
  CHECK(linesOf(places) ==
        Passed{passed("", line + 2), passed("", line + 3), passed("", line + 4), passed("", line + 5)});
}

TEST_CASE("the trace of an error of a program of parMap has the place where it was raised, and the stage") {
  const int line = __LINE__;
  const auto failing = [](int n) { return Do<int>::delay([n] { return failsAt3(n); }); };
  const auto numbers = Stream<int>::of({1, 2, 3, 4});
  const auto parMapped = numbers.parMap(2, failing);
  const auto all = parMapped.toVector();
  const Passed places = passedBy(all);
  REQUIRE(!places.empty());
  CHECK(places[0] == passed("delay", line + 1));
  CHECK(linesOf(places) == Passed{passed("", line + 1), passed("", line + 3), passed("", line + 4)});
}

TEST_CASE("dumpRuns lists the named children of a scope that waits for them") {
  const Event end;
  const int line = __LINE__;
  const auto server = supervised([end](const Supervisor& supervisor) {
    const auto reader = supervisor.spawn(end.wait(), "reader");
    const auto writer = supervisor.spawn(end.wait(), "writer");
    return reader.flatMap([=](const Task<void>&) { return writer; }).map([](const Task<void>&) {});
  });
  const auto named = server.named("server");
  named.onComplete([](const auto&) {});
  const auto at = [=](int offset) { return "(trace_test.cpp:" + std::to_string(line + offset) + ")"; };
  const auto child = [&](const std::string& name, int offset) {
    return "  \"" + name + "\" " + at(offset) + ": waits for Event::wait " + at(offset);
  };
  CHECK(test::dumpedRuns() == Passed{"\"server\" " + at(6) + ": waits for Supervisor: its children " + at(1),
                                     child("reader", 2), child("writer", 3)});
  end.set();
  CHECK(test::dumpedRuns().empty());
}
