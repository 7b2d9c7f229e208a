// P8, P9 and P11 where the executor of a parent refuses to continue it when all its branches have ended.
#include <doctest/doctest.h>

#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"

using namespace tapestry;
using test::FakeResources;
using test::Manual;

namespace {

/// Two branches that acquire and wait; each form joins them in its own way.
struct Refused {
  FakeResources fake;
  Manual<void> manual;
  test::QueueExecutor executor;
  std::string openAtDelivery = "nothing delivered";

  Do<int> branch(const std::string& name) {
    return fake.make(name).flatMap(
        [this](const std::string&) { return Do<void>::lift(manual.deaf()).map([] { return 1; }); });
  }
  template <class A>
  std::string errorOf(const Do<A>& joined) {
    std::string seen = "no error";
    joined.map([](const auto&) {})
        .handleError([&seen](const std::exception_ptr& error) {
          seen = test::errorText(error);
          return Do<void>::now();
        })
        .onComplete([this](const auto&) { openAtDelivery = std::to_string(fake.open()); }, executor);
    executor.work();
    executor.stop();
    while (manual.waiting() > 0) manual.take()();
    CHECK(fake.log() == "+a +b -b -a");
    CHECK(openAtDelivery == "0");
    CHECK(fake.faults().empty());
    return seen;
  }
};

}  // namespace

TEST_CASE(
    "when a parent's executor refuses it, its branches' resources are released, and it ends with an error") {
  const std::string refused = ExecutorStopped().what();
  SUBCASE("tuple2") {
    Refused r;
    CHECK(r.errorOf(tuple2(parallel(r.branch("a")), parallel(r.branch("b")))) == refused);
  }
  SUBCASE("validate2") {
    Refused r;
    CHECK(r.errorOf(validate2(parallel(r.branch("a")), parallel(r.branch("b")))) == refused);
  }
  SUBCASE("parSequence") {
    Refused r;
    CHECK(r.errorOf(parSequence(std::vector{r.branch("a"), r.branch("b")})) == refused);
  }
  SUBCASE("parTraverse") {
    Refused r;
    CHECK(r.errorOf(parTraverse(std::views::iota(0, 2), 2,
                                [&r](int i) { return r.branch(i == 0 ? "a" : "b"); })) == refused);
  }
  SUBCASE("race") {
    Refused r;
    CHECK(r.errorOf(race(r.branch("a"), r.branch("b"))) == refused);
  }
  SUBCASE("raceAll") {
    Refused r;
    CHECK(r.errorOf(raceAll(std::vector{r.branch("a"), r.branch("b")})) == refused);
  }
}

TEST_CASE("errors of branches and of their releases follow that of the executor") {
  Refused r;
  const auto failing = r.fake.failingRelease("a").flatMap([&r](const std::string&) {
    return Do<void>::lift(r.manual.deaf()).map([]() -> int { throw std::runtime_error("body"); });
  });
  std::string outcome;
  validate2(parallel(failing), parallel(r.branch("b")))
      .onComplete([&](const auto& ended) { outcome = test::outcomeText(ended); }, r.executor);
  r.executor.work();
  r.executor.stop();
  while (r.manual.waiting() > 0) r.manual.take()();
  CHECK(outcome == "[" + std::string(ExecutorStopped().what()) + ", body, release a]");
  CHECK(r.fake.open() == 0);
}
