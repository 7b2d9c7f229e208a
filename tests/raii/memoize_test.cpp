#include "tapestry/raii/memoize.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

TEST_CASE("a memoized Do runs once, and every run gets its value") {
  int calls = 0;
  const auto program = memoize(Do<std::string>::delay([&calls] { return std::to_string(++calls); }));
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == "1");
  CHECK(program.blockingAwait() == "1");
  CHECK(calls == 1);
  const auto nothing = memoize(Do<void>::delay([&calls] { ++calls; }));
  nothing.blockingAwait();
  nothing.blockingAwait();
  CHECK(calls == 2);
}

TEST_CASE("a memoized error is kept, and thrown again") {
  int calls = 0;
  const auto program =
      memoize(Do<int>::delay([&calls]() -> int { throw std::runtime_error(std::to_string(++calls)); }));
  for (int i = 0; i < 2; ++i) CHECK(errorOf([&] { program.blockingAwait(); }) == "1");
  CHECK(program.handleError([](const auto&) { return Do<int>::now(5); }).blockingAwait() == 5);
  CHECK(calls == 1);
}

TEST_CASE("resources of a memoized program are released before its value is seen") {
  FakeResources fake;
  const auto program = memoize(fake.make("a")).map([&fake](const std::string& name) {
    fake.note("use");
    return name;
  });
  CHECK(program.blockingAwait() == "a");
  CHECK(program.blockingAwait() == "a");
  CHECK(fake.log() == "+a -a use use");
  const auto failing = memoize(fake.failingRelease("b"));
  for (int i = 0; i < 2; ++i) CHECK(errorOf([&] { failing.blockingAwait(); }) == "release b");
}

TEST_CASE("runs that come to a memoized Do while it is at work wait for it") {
  Manual<int> manual;
  const auto program = memoize(Do<int>::lift(manual.program()));
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  CHECK(manual.waiting() == 1);
  manual.take()(7);
  CHECK(first.outcome().get() == 7);
  CHECK(second.outcome().get() == 7);
}

TEST_CASE("when the run that is at work is cancelled, a waiting run begins again") {
  FakeResources fake;
  Manual<int> manual;
  const auto program = memoize(fake.make("a").flatMap([&](const std::string&) {
    return Do<int>::lift(manual.program()).flatMap([](int x) { return Do<int>::now(x); });
  }));
  const StopSource source;
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback(), source.token());
  program.onComplete(second.callback());
  source.requestStop();
  manual.take()(1);
  CHECK(first.outcome().isCancelled());
  REQUIRE(manual.waiting() == 1);
  CHECK(fake.log() == "+a -a +a");
  manual.take()(2);
  CHECK(second.outcome().get() == 2);
  CHECK(fake.open() == 0);
}

TEST_CASE("a memoized program that throws Cancelled is run again by a waiting run, and by the next run") {
  Manual<void> manual;
  int calls = 0;
  const auto program = memoize(Do<void>::lift(manual.program()).map([&calls] {
    if (++calls < 3) throw Cancelled();
    return calls;
  }));
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  manual.take()();
  CHECK(outcomeText(first.outcome()) == "cancelled");
  REQUIRE(manual.waiting() == 1);
  manual.take()();
  CHECK(outcomeText(second.outcome()) == "cancelled");
  for (int i = 0; i < 2; ++i) {
    Delivery<int> next;
    program.onComplete(next.callback());
    if (i == 0) manual.take()();
    CHECK(next.outcome().get() == 3);
  }
  CHECK(calls == 3);
}

TEST_CASE("cancelling a run that waits for a memoized Do does not disturb the others") {
  Manual<int> manual;
  const auto program = memoize(Do<int>::lift(manual.program()));
  const StopSource source;
  Delivery<int> worker;
  Delivery<int> cancelled;
  Delivery<int> patient;
  program.onComplete(worker.callback());
  program.onComplete(cancelled.callback(), source.token());
  program.onComplete(patient.callback());
  source.requestStop();
  CHECK(cancelled.outcome().isCancelled());
  manual.take()(3);
  CHECK(worker.outcome().get() == 3);
  CHECK(patient.outcome().get() == 3);
}

TEST_CASE("where a copy of a memoized value throws, that is the error of one run") {
  struct Copied {
    int* copies;
    explicit Copied(int* to) : copies(to) {}
    Copied(const Copied& other) : copies(other.copies) {
      if (++*copies == 2) throw std::runtime_error("copy");
    }
    Copied(Copied&&) noexcept = default;
  };
  int copies = 0;
  const auto program = memoize(Do<Copied>::delay([&copies] { return Copied(&copies); }));
  CHECK(errorOf([&] { program.blockingAwait(); }) == "none");
  CHECK(errorOf([&] { program.blockingAwait(); }) == "copy");
  CHECK(errorOf([&] { program.blockingAwait(); }) == "none");
}

TEST_CASE("a memoized Do that many threads run at once runs once") {
  ThreadPool pool(3);
  std::atomic<int> calls{0};
  for (int round = 0; round < 100; ++round) {
    calls = 0;
    const auto program = memoize(Do<int>::execute(pool, [&calls] { return ++calls; }));
    std::atomic<int> sum{0};
    test::onThreads(4, [&](int) { sum += program.blockingAwait(); });
    CHECK(sum == 4);
    CHECK(calls == 1);
  }
}
