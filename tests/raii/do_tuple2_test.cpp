#include "tapestry/raii/do_tuple2.hpp"

#include <doctest/doctest.h>

#include <any>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

struct Bang : std::runtime_error {
  explicit Bang(const char* text = "boom") : std::runtime_error(text) {}
};

auto pairOf(const Do<std::string>& first, const Do<std::string>& second) {
  return tuple2(parallel(first), parallel(second));
}

}  // namespace

TEST_CASE("an untagged tuple2 runs the first, then the second") {
  FakeResources fake;
  const auto program = tuple2(fake.make("a"), fake.make("b")).map([&](const auto& both) {
    fake.note("use");
    return std::get<0>(both) + std::get<1>(both);
  });
  CHECK(program.blockingAwait() == "ab");
  CHECK(fake.log() == "+a +b use -b -a");
}

TEST_CASE("an untagged tuple2 does not begin the second before the first has ended, nor if that fails") {
  Manual<int> manual;
  int begun = 0;
  const auto second = Do<int>::delay([&begun] { return ++begun; });
  Delivery<std::tuple<int, int>> delivery;
  tuple2(Do<int>::lift(manual.program()), second).onComplete(delivery.callback());
  CHECK(begun == 0);
  manual.take()(5);
  CHECK(delivery.outcome().get() == std::tuple(5, 1));
  CHECK(errorOf([&] { tuple2(Do<int>::raiseError(Bang()), second).blockingAwait(); }) == "boom");
  CHECK(begun == 1);
}

TEST_CASE("tuple2 of void yields Unit") {
  CHECK(tuple2(Do<void>::now(), Do<int>::now(1)).blockingAwait() == std::tuple(Unit(), 1));
  CHECK(tuple2(parallel(Do<void>::now()), parallel(Do<void>::now())).blockingAwait() ==
        std::tuple(Unit(), Unit()));
}

TEST_CASE("tuple2 keeps a list of anything as it is") {
  using List = std::vector<std::any>;
  const auto list = Do<List>::now(List{std::any(1), std::any(2)});
  const auto [a, b] = tuple2(list, list).blockingAwait();
  CHECK(a.size() == 2);
  CHECK(b.size() == 2);
  CHECK(std::get<0>(tuple2(parallel(list), parallel(list)).blockingAwait()).size() == 2);
}

TEST_CASE("a parallel tuple2 begins both before either has ended, and completes when both have") {
  Manual<int> first;
  Manual<int> second;
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(Do<int>::lift(first.program())), parallel(Do<int>::lift(second.program())))
      .onComplete(delivery.callback());
  CHECK(first.waiting() == 1);
  CHECK(second.waiting() == 1);
  second.take()(2);
  CHECK(delivery.count() == 0);
  first.take()(1);
  CHECK(delivery.outcome().get() == std::tuple(1, 2));
}

TEST_CASE("a parallel tuple2 that succeeds hands its branches' resources to the enclosing scope") {
  FakeResources fake;
  const auto program = fake.make("outer").flatMap([&](const std::string&) {
    return pairOf(fake.make("a"), fake.make("b")).map([&](const auto&) {
      fake.note("use");
      return fake.open();
    });
  });
  CHECK(program.blockingAwait() == 3);
  CHECK(fake.open() == 0);
  const auto events = fake.events();
  CHECK(events[0] == "+outer");
  CHECK(events[3] == "use");
  CHECK(events.back() == "-outer");
}

TEST_CASE("when a branch fails, the resources of its sibling are released before the failure is delivered") {
  FakeResources fake;
  std::string openAtHandler;
  const auto failing = fake.make("b").map([](const std::string&) -> std::string { throw Bang(); });
  const auto program = pairOf(fake.make("a"), failing)
                           .map([](const auto&) { return std::string(); })
                           .handleError([&](const auto&) {
                             openAtHandler = std::to_string(fake.open());
                             return Do<std::string>::now("handled");
                           });
  CHECK(program.blockingAwait() == "handled");
  CHECK(openAtHandler == "0");
}

TEST_CASE("when a branch fails, its sibling is cancelled and waited for") {
  FakeResources fake;
  Manual<int> manual;
  bool wentOn = false;
  const auto waiting = fake.make("a")
                           .flatMap([&](const std::string&) { return Do<int>::lift(manual.deaf()); })
                           .flatMap([&](int x) {
                             wentOn = true;
                             return Do<int>::now(x);
                           });
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(waiting), parallel(Do<int>::raiseError(Bang()))).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  CHECK(fake.isOpen("a"));
  manual.take()(1);
  CHECK(outcomeText(delivery.outcome()) == "boom");
  CHECK_FALSE(wentOn);
  CHECK(fake.open() == 0);
}

TEST_CASE("a branch that was not begun when its sibling failed is never begun") {
  int begun = 0;
  const auto program =
      tuple2(parallel(Do<int>::raiseError(Bang())), parallel(Do<int>::delay([&begun] { return ++begun; })));
  CHECK_THROWS_AS(program.blockingAwait(), Bang);
  CHECK(begun == 0);
}

TEST_CASE("errors of branches are delivered in argument order, whichever came first") {
  Manual<int> first;
  const auto failsLate = Do<int>::lift(first.deaf()).map([](int) -> int { throw Bang("first"); });
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(failsLate), parallel(Do<int>::raiseError(Bang("second")))).onComplete(delivery.callback());
  first.take()(0);
  CHECK(outcomeText(delivery.outcome()) == "[first, second]");
}

TEST_CASE("errors of releases follow those of the branches, in argument order") {
  FakeResources fake;
  Manual<int> manual;
  const auto branch = [&](const char* name) {
    return fake.failingRelease(name).flatMap(
        [&](const std::string&) { return Do<int>::lift(manual.deaf()); });
  };
  Delivery<std::tuple<int, int, int>> delivery;
  tupleN(parallel(branch("a")), parallel(Do<int>::raiseError(Bang())), parallel(branch("c")))
      .onComplete(delivery.callback());
  CHECK(manual.waiting() == 1);
  manual.take()(1);
  CHECK(outcomeText(delivery.outcome()) == "[boom, release a]");
  CHECK(fake.open() == 0);
}

TEST_CASE("throwing releases of parallel branches are delivered in argument order") {
  FakeResources fake;
  const auto program = pairOf(fake.failingRelease("a"), fake.failingRelease("b"));
  CHECK(errorOf([&] { program.blockingAwait(); }) == "[release a, release b]");
  const auto third = tupleN(parallel(fake.failingRelease("a")), parallel(fake.make("b")),
                            parallel(fake.failingRelease("c")));
  ThreadPool pool(2);
  CHECK(errorOf([&] { third.blockingAwait(pool); }) == "[release a, release c]");
  CHECK(fake.open() == 0);
}

TEST_CASE("branches whose releases wait are released side by side") {
  FakeResources fake;
  Manual<void> manual;
  const auto slow = [&](const char* name) {
    return fake.make(name, {.releasing = Do<void>::lift(manual.program())});
  };
  Delivery<std::tuple<std::string, std::string>> delivery;
  pairOf(slow("a"), slow("b")).onComplete(delivery.callback());
  CHECK(manual.waiting() == 2);
  auto first = manual.take();
  manual.take()();
  CHECK(fake.log() == "+a +b -b");
  CHECK(delivery.count() == 0);
  first();
  CHECK(fake.log() == "+a +b -b -a");
  CHECK(delivery.outcome().hasValue());
}

TEST_CASE("a request to stop reaches all branches, and their releases run") {
  FakeResources fake;
  Manual<int> manual;
  const auto branch = [&](const char* name) {
    return fake.make(name)
        .flatMap([&](const std::string&) { return Do<int>::lift(manual.deaf()); })
        .flatMap([](int x) { return Do<int>::now(x); });
  };
  const StopSource source;
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(branch("a")), parallel(branch("b"))).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(1);
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.outcome().isCancelled());
  CHECK(fake.open() == 0);
}

TEST_CASE("errors of releases while branches are cancelled are the outcome, in argument order") {
  FakeResources fake;
  Manual<int> manual;
  const auto branch = [&](const char* name) {
    return fake.failingRelease(name)
        .flatMap([&](const std::string&) { return Do<int>::lift(manual.deaf()); })
        .flatMap([](int x) { return Do<int>::now(x); });
  };
  const StopSource source;
  Delivery<std::tuple<int, int>> delivery;
  tuple2(parallel(branch("a")), parallel(branch("b"))).onComplete(delivery.callback(), source.token());
  source.requestStop();
  auto first = manual.take();
  manual.take()(2);
  first(1);
  CHECK(outcomeText(delivery.outcome()) == "[release a, release b]");
}

TEST_CASE("a broken callback in one branch is its error, and cancels the other") {
  FakeResources fake;
  const auto broken =
      fake.make("a").flatMap([](const std::string&) { return Do<std::string>::async([](const auto&) {}); });
  CHECK_THROWS_AS(pairOf(broken, fake.make("b")).blockingAwait(), BrokenCallback);
  CHECK(fake.open() == 0);
}

TEST_CASE("tuple2 takes a program that cannot fail beside a Do, on either side") {
  const auto both = tuple2(parallel(Do<int>::now(1)), parallel(now(2)));
  CHECK(both.blockingAwait() == std::tuple(1, 2));
  const auto failed = tuple2(parallel(now(2)), parallel(Do<int>::raiseError(std::runtime_error("late"))));
  CHECK_THROWS_WITH_AS(static_cast<void>(failed.blockingAwait()), "late", std::runtime_error);
  CHECK(tupleN(parallel(now(1)), parallel(Do<int>::now(2)), parallel(now(3))).blockingAwait() ==
        std::tuple(1, 2, 3));
}

TEST_CASE("tupleN of one program yields a tuple of one value") {
  CHECK(tupleN(parallel(Do<int>::now(1))).blockingAwait() == std::tuple(1));
}

TEST_CASE("parSequence yields all values in order, and succeeds with none for no programs") {
  std::vector<Do<int>> programs;
  CHECK(parSequence(programs).blockingAwait().empty());
  for (int i = 0; i < 100; ++i) programs.push_back(Do<int>::now(i));
  const auto program = parSequence(programs).map([](const std::vector<int>& values) {
    int inOrder = 0;
    for (int i = 0; i < static_cast<int>(values.size()); ++i)
      inOrder += values[static_cast<std::size_t>(i)] == i;
    return inOrder;
  });
  CHECK(program.blockingAwait() == 100);
  ThreadPool pool(3);
  CHECK(program.blockingAwait(pool) == 100);
}

TEST_CASE("parSequence releases what all branches have when one fails") {
  FakeResources fake;
  ThreadPool pool(3);
  std::vector<Do<std::string>> programs;
  for (int i = 0; i < 50; ++i) programs.push_back(fake.make("r" + std::to_string(i)));
  programs.push_back(Do<std::string>::raiseError(Bang()));
  CHECK_THROWS_AS(parSequence(programs).blockingAwait(), Bang);
  CHECK(fake.open() == 0);
  CHECK_THROWS_AS(parSequence(programs).blockingAwait(pool), Bang);
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("branches that acquire and release on other threads lose nothing") {
  FakeResources fake;
  test::OtherThread left;
  test::OtherThread right;
  const auto branch = [&](test::OtherThread& thread, const char* name) {
    return fake.make(name, {.acquiring = thread.hop(), .releasing = thread.hop()});
  };
  for (int i = 0; i < 200; ++i) {
    const auto [a, b] = pairOf(branch(left, "a"), branch(right, "b")).blockingAwait();
    CHECK(a + b == "ab");
    CHECK(fake.open() == 0);
  }
  CHECK(fake.events().size() == 800);
  CHECK(fake.faults().empty());
}

TEST_CASE("parallel tuples nest, on a pool and without") {
  ThreadPool pool(3);
  FakeResources fake;
  int next = 0;
  Do<int> program = Do<int>::now(0);
  for (int i = 0; i < 64; ++i) {
    const auto leaf = fake.make("r" + std::to_string(next++)).map([](const std::string&) { return 1; });
    program = tuple2(parallel(program), parallel(leaf)).map([](const std::tuple<int, int>& both) {
      return std::get<0>(both) + std::get<1>(both);
    });
  }
  CHECK(program.blockingAwait() == 64);
  for (int i = 0; i < 20; ++i) CHECK(program.blockingAwait(pool) == 64);
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}
