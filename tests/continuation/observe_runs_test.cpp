#include <tapestry/continuation/observe_runs.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <tapestry/continuation.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/continuation/track_runs.hpp>

#include "support/system/child_process.hpp"

namespace tapestry {

namespace {

struct NameLog final : RunObserver {
  void entered(const RunSpan& span, const void*) noexcept override {
    names.push_back((span.isNamed() ? "named " : "unnamed ") + span.name());
  }
  std::vector<std::string> names;
};

NameLog early;

/// In a child process that is told so, observes runs before the library's own static initializers.
[[maybe_unused]] const bool observesEarly = [] {
  if (!std::getenv("OBSERVES_EARLY")) return false;
  trackRuns(true);
  observeRuns(&early);
  return true;
}();

}  // namespace

TEST_CASE("an observer of all runs is notified of names without withObserver") {
  NameLog all, own;
  observeRuns(&all);
  const auto program = now(1).named("one");
  program.blockingAwait();
  withObserver(own, program).blockingAwait();
  trackRuns(true);
  now(2).blockingAwait();
  trackRuns(false);
  observeRuns(nullptr);
  program.blockingAwait();
  CHECK(all.names == std::vector<std::string>{"named one", "unnamed blockingAwait"});
  CHECK(own.names == std::vector<std::string>{"named one"});
}

TEST_CASE("trackRuns and observeRuns in a static initializer have an effect") {
  ::setenv("OBSERVES_EARLY", "1", 1);
  const auto ending = test::inChild([] {
    now(1).named("one").blockingAwait();
    for (const std::string& name : early.names) std::fprintf(stderr, "%s, ", name.c_str());
  });
  ::unsetenv("OBSERVES_EARLY");
  CHECK(ending.text == "unnamed blockingAwait, named one, ");
}

TEST_CASE("TAPESTRY_TRACE=1 prints the steps of each run with names and places") {
  ::setenv("TAPESTRY_TRACE", "1", 1);
  const auto ending = test::inChild([] {
    const auto waits = sleepFor(std::chrono::milliseconds(1)).named("nap");
    waits.blockingAwait();
  });
  ::unsetenv("TAPESTRY_TRACE");
  const auto has = [&](const std::string& part) { return ending.text.find(part) != std::string::npos; };
  CHECK(ending.status == 0);
  CHECK(has("tapestry: thread 1: blockingAwait (observe_runs_test.cpp:"));
  CHECK(has("  \"nap\" (observe_runs_test.cpp:"));
  CHECK(has(") begins\n"));
  CHECK(has(" waits for sleepFor"));
  CHECK(has(" continues\n"));
  CHECK(has(" ends\n"));
}

}  // namespace tapestry
