#include "tapestry/continuation/named.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/track_runs.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/asio/as_do.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/semaphore.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

using Place = std::pair<std::string, int>;

/// What the run named "outer" itself waits for, and on which line of this file; or "nothing".
Place waitOfOuter() {
  std::ostringstream out;
  dumpRuns(out);
  std::istringstream in(out.str());
  const std::string wait = ": waits for ";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("\"outer\"") || line.find(wait) == line.npos) continue;
    const std::string what = line.substr(line.find(wait) + wait.size());
    const std::size_t place = what.find(" (");
    if (place == what.npos) return {what, 0};
    CHECK(what.find("named_test.cpp:") != what.npos);
    return {what.substr(0, place), std::stoi(what.substr(what.rfind(':') + 1))};
  }
  return {"nothing", 0};
}

/// Returns the place where the program waits after its first leaf has been completed. All leaves have
/// names.
template <class A>
Place waitOf(const Do<A>& program, Manual<int>& leaves) {
  Delivery<A> delivery;
  program.named("outer").onComplete(delivery.callback());
  leaves.take()(1);
  const Place place = waitOfOuter();
  while (leaves.waiting() > 0) leaves.take()(1);
  CHECK(delivery.outcome().hasValue());
  return place;
}

Place branchesAt(int line) { return {"its parallel branches", line}; }

}  // namespace

TEST_CASE("a run that waits for parallel branches of Do tells where they were begun") {
  Manual<int> manual;
  const auto leaf = Do<int>::lift(mask(manual.program())).named("leaf");
  const std::vector<int> elements(2);
  CHECK(waitOf(tuple2(parallel(leaf), parallel(leaf)), manual) == branchesAt(__LINE__));
  CHECK(waitOf(tupleN(parallel(leaf), parallel(leaf)), manual) == branchesAt(__LINE__));
  CHECK(waitOf(validate2(parallel(leaf), parallel(leaf)), manual) == branchesAt(__LINE__));
  CHECK(waitOf(parSequence(std::vector{leaf, leaf}), manual) == branchesAt(__LINE__));
  CHECK(waitOf(parValidate(std::vector{leaf, leaf}), manual) == branchesAt(__LINE__));
  CHECK(waitOf(parTraverse(elements, 2, [&](int) { return leaf; }), manual) == branchesAt(__LINE__));
  CHECK(waitOf(race(leaf, leaf), manual) == branchesAt(__LINE__));
  CHECK(waitOf(race(leaf, leaf, leaf), manual) == branchesAt(__LINE__));
  CHECK(waitOf(raceAll(std::vector{leaf, leaf}), manual) == branchesAt(__LINE__));
  CHECK(waitOf(race(leaf, leaf, leaf, leaf), manual) == branchesAt(0));
}

TEST_CASE("dumpRuns shows where the value that a run waits for is shared") {
  Manual<int> manual;
  const auto leaf = Do<int>::lift(manual.program());
  const auto waitBeside = [&]<class A>(const Do<A>& program) {
    Delivery<A> first;
    program.onComplete(first.callback());
    Delivery<A> second;
    program.named("outer").onComplete(second.callback());
    const Place place = waitOfOuter();
    manual.take()(1);
    CHECK(second.outcome().hasValue());
    return place;
  };
  CHECK(waitBeside(memoize(leaf)) == Place("the run that memoizes", __LINE__));
  CHECK(waitBeside(leaf.shared()) == Place("a shared value", __LINE__));
}

TEST_CASE("dumpRuns shows the place of a wait for a permit, for the next attempt, or for Asio") {
  const auto waitOfOne = [](const Do<void>& program, auto goOn) {
    Delivery<void> delivery;
    program.named("outer").onComplete(delivery.callback());
    const Place place = waitOfOuter();
    goOn();
    CHECK(delivery.outcome().hasValue());
    return place;
  };
  const Semaphore semaphore(1);
  Manual<void> holding;
  Delivery<void> holder;
  semaphore.withPermit(Do<void>::lift(holding.program())).onComplete(holder.callback());
  CHECK(waitOfOne(semaphore.permit(), [&] { holding.take()(); }) == Place("a permit", __LINE__));

  int attempts = 0;
  const auto second = Do<void>::delay([&] {
    if (++attempts == 1) throw std::runtime_error("the first attempt");
  });
  testing::VirtualClock clock;
  const auto later = [&] { clock.advanceToNext(); };
  CHECK(waitOfOne(withClock(clock, retry(second)), later) == Place("sleepFor", __LINE__));

  boost::asio::io_context context;
  boost::asio::steady_timer timer(context, std::chrono::milliseconds(1));
  const auto run = [&] { context.run(); };
  CHECK(waitOfOne(timer.async_wait(asDo()), run) == Place("an operation of Asio", __LINE__));
  context.restart();
  CHECK(waitOfOne(timer.async_wait(asDo), run) == Place("an operation of Asio", 0));
}

TEST_CASE("the resources of a named program are released under its name") {
  Manual<void> closing;
  const auto opened = resource(
      Do<int>::now(1), [&closing](int) { return Do<void>::lift(mask(closing.program())).named("close"); });
  Delivery<int> delivery;
  opened.named("connection").onComplete(delivery.callback());
  REQUIRE(closing.waiting() == 1);
  std::ostringstream out;
  dumpRuns(out);
  CHECK(out.str().starts_with("\"connection\" ("));
  CHECK(out.str().find(")\n  \"close\" (") != std::string::npos);
  closing.take()();
  CHECK(delivery.outcome().hasValue());
  CHECK(Do<int>::now(2).named("nothing to release").blockingAwait() == 2);
}

TEST_CASE("a tracked run is listed with the opening of a shared value below it") {
  trackRuns(true);
  Manual<int> manual;
  Delivery<void> delivery;
  const auto shared = Do<int>::lift(manual.program()).shared();
  shared.map([](const Handle<int>&) {}).onComplete(delivery.callback());
  trackRuns(false);
  std::ostringstream out;
  dumpRuns(out);
  CHECK(out.str().starts_with("run ("));
  CHECK(out.str().find(": waits for a shared value (") != std::string::npos);
  CHECK(out.str().find("\n  run of its own: waits for async (") != std::string::npos);
  manual.take()(1);
  CHECK(delivery.outcome().hasValue());
  std::ostringstream ended;
  dumpRuns(ended);
  CHECK(ended.str().empty());
}
