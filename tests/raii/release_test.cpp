#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/extend/wait_for.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/race.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

struct Boom : std::runtime_error {
  Boom() : std::runtime_error("boom") {}
};

/// Acquires a, b and c, then continues with the body.
Do<int> three(FakeResources& fake, const std::function<Do<int>()>& body) {
  return fake.make("a").flatMap([&fake, body](const std::string&) {
    return fake.make("b").flatMap([&fake, body](const std::string&) {
      return fake.make("c").flatMap([body](const std::string&) { return body(); });
    });
  });
}

const std::string threeInOrder = "+a +b +c -c -b -a";

}  // namespace

TEST_CASE("resources are released once, in reverse order, before a value is delivered") {
  FakeResources fake;
  std::string atDelivery;
  three(fake, [] { return Do<int>::now(1); }).onComplete([&](const Outcome<int>& outcome) {
    atDelivery = outcomeText(outcome) + ": " + fake.log();
  });
  CHECK(atDelivery == "value: " + threeInOrder);
}

TEST_CASE("resources are released before an error is delivered, whether raised or thrown") {
  for (const auto& body : {std::function<Do<int>()>([] { return Do<int>::raiseError(Boom()); }),
                           std::function<Do<int>()>([]() -> Do<int> { throw Boom(); })}) {
    FakeResources fake;
    std::string atDelivery;
    three(fake, body).onComplete([&](const Outcome<int>& outcome) {
      atDelivery = outcomeText(outcome) + ": " + fake.log();
    });
    CHECK(atDelivery == "boom: " + threeInOrder);
  }
}

TEST_CASE("resources are released before a cancellation is delivered") {
  FakeResources fake;
  const StopSource source;
  std::string atDelivery;
  three(fake,
        [source] {
          source.requestStop();
          return Do<int>::now(1);
        })
      .onComplete([&](const auto& outcome) { atDelivery = outcomeText(outcome) + ": " + fake.log(); },
                  source.token());
  CHECK(atDelivery == "cancelled: " + threeInOrder);
}

TEST_CASE("resources are released when a callback is broken") {
  FakeResources fake;
  const auto program = three(fake, [] { return Do<int>::async([](const auto&) {}); });
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  CHECK(fake.log() == threeInOrder);
}

TEST_CASE("resources that left-nested flatMaps acquire are released in reverse order") {
  FakeResources fake;
  const auto program = fake.make("a")
                           .flatMap([&](const std::string&) { return fake.make("b"); })
                           .flatMap([&](const std::string&) { return fake.make("c"); })
                           .map([](const std::string&) { return 1; });
  CHECK(program.blockingAwait() == 1);
  CHECK(fake.log() == threeInOrder);
}

TEST_CASE("an inner scope ends before the outer continues, and an error in it passes its releases first") {
  FakeResources fake;
  const auto program = fake.make("a").flatMap(
      [&](const std::string&) { return three(fake, [] { return Do<int>::raiseError(Boom()); }).run(); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquired twice: a");
  CHECK(fake.open() == 0);

  FakeResources other;
  const auto nested = other.make("outer").flatMap([&](const std::string&) {
    return three(other, [] { return Do<int>::raiseError(Boom()); }).run().handleError([&](const auto&) {
      other.note("handled");
      return Do<int>::now(2);
    });
  });
  CHECK(nested.blockingAwait() == 2);
  CHECK(other.log() == "+outer " + threeInOrder + " handled -outer");
}

TEST_CASE(
    "resources of a failed program stay until the end of the scope if the error is handled in this scope") {
  FakeResources fake;
  const auto program = fake.make("a")
                           .flatMap([](const std::string&) { return Do<int>::raiseError(Boom()); })
                           .handleError([&](const auto&) {
                             fake.note("handled");
                             return fake.make("b").map([](const std::string&) { return 1; });
                           });
  CHECK(program.blockingAwait() == 1);
  CHECK(fake.log() == "+a handled +b -b -a");
}

TEST_CASE("a request to stop during the acquire does not interrupt it, and the release follows") {
  FakeResources fake;
  Manual<void> manual;
  const StopSource source;
  const auto slow = Do<void>::lift(manual.program()).flatMap([] { return Do<void>::now(); });
  bool used = false;
  Delivery<int> delivery;
  fake.make("a", {.acquiring = slow})
      .flatMap([&used](const std::string&) {
        used = true;
        return Do<int>::now(1);
      })
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(fake.log().empty());
  manual.take()();
  CHECK(fake.log() == "+a -a");
  CHECK(delivery.outcome().isCancelled());
  CHECK_FALSE(used);
}

TEST_CASE("a request to stop from within the acquire leaves no gap before the release is registered") {
  FakeResources fake;
  const StopSource source;
  fake.onEvent = [source](std::size_t event) {
    if (event == 1) source.requestStop();
  };
  const auto program = three(fake, [] { return Do<int>::now(1); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+a +b -b -a");
}

TEST_CASE("a request to stop during a release interrupts neither this release nor the following ones") {
  FakeResources fake;
  Manual<void> manual;
  const StopSource source;
  const auto slow = Do<void>::lift(manual.program()).flatMap([] { return Do<void>::now(); });
  Delivery<std::string> delivery;
  fake.make("a", {.releasing = slow})
      .flatMap([&](const std::string&) { return fake.make("b", {.releasing = slow}); })
      .onComplete(delivery.callback(), source.token());
  CHECK(manual.waiting() == 1);
  source.requestStop();
  manual.take()();
  manual.take()();
  CHECK(fake.log() == "+a +b -b -a");
  CHECK(delivery.count() == 1);
}

TEST_CASE("a run that was asked to stop before it began acquires nothing") {
  FakeResources fake;
  const StopSource source;
  source.requestStop();
  CHECK_THROWS_AS(fake.make("a").blockingAwait(source.token()), Cancelled);
  CHECK_THROWS_AS(fake.make("a").shared().blockingAwait(source.token()), Cancelled);
  CHECK_THROWS_AS(scoped([&] { return fake.acquired("a"), 1; }).blockingAwait(source.token()), Cancelled);
  CHECK(fake.log().empty());
}

TEST_CASE("a failing release does not stop the others, and its error is delivered as itself") {
  FakeResources fake;
  const auto program = fake.make("a").flatMap([&](const std::string&) {
    return fake.failingRelease("b").flatMap([&](const std::string&) { return fake.make("c"); });
  });
  CHECK_THROWS_AS(program.blockingAwait(), test::ReleaseFailed);
  CHECK(fake.log() == threeInOrder);
}

TEST_CASE("several failing releases are delivered as one MultipleException, in the order of the releases") {
  FakeResources fake;
  const auto program = fake.failingRelease("a").flatMap([&](const std::string&) {
    return fake.make("b").flatMap([&](const std::string&) { return fake.failingRelease("c"); });
  });
  CHECK_THROWS_AS(program.blockingAwait(), MultipleException);
  CHECK(errorOf([&] { program.blockingAwait(); }) == "[release c, release a]");
  CHECK(fake.open() == 0);
}

TEST_CASE("errors of releases follow the body's, and equal errors are all kept") {
  FakeResources fake;
  const auto program = fake.failingRelease("a").flatMap([&](const std::string&) {
    return fake.failingRelease("b").flatMap([](const std::string&) { return Do<int>::raiseError(Boom()); });
  });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "[boom, release b, release a]");
  const auto error = std::make_exception_ptr(Boom());
  const auto twice = resource(Do<int>::now(1), [error](int) {
                       std::rethrow_exception(error);
                     }).flatMap([error](int) { return Do<int>::raiseError(error); });
  CHECK(errorOf([&] { twice.blockingAwait(); }) == "[boom, boom]");
}

TEST_CASE("errors of releases are the outcome of a run that was asked to stop") {
  FakeResources fake;
  const StopSource source;
  const auto program = fake.failingRelease("a").flatMap([&](const std::string&) {
    return fake.failingRelease("b").flatMap([source](const std::string&) {
      source.requestStop();
      return Do<int>::now(1).flatMap([](int x) { return Do<int>::now(x); });
    });
  });
  CHECK(errorOf([&] { program.blockingAwait(source.token()); }) == "[release b, release a]");
  CHECK(fake.log() == "+a +b -b -a");
}

TEST_CASE("a failing release of an inner scope fails that scope, where handleError sees it") {
  FakeResources fake;
  const auto program = fake.make("a").flatMap([&](const std::string&) {
    return fake.failingRelease("b").run().handleError(
        [](const std::exception_ptr& error) { return Do<std::string>::now(test::errorText(error)); });
  });
  CHECK(program.blockingAwait() == "release b");
  CHECK(fake.log() == "+a +b -b -a");
}

TEST_CASE("a release that breaks its callback is a failed release, and the others run") {
  FakeResources fake;
  const auto broken = [](int) { return Do<void>::async([](const auto&) {}); };
  const auto brokenToo = [](int) { return async<void>([](const auto&) {}); };
  const auto program = fake.make("a").flatMap([=](const std::string&) {
    return resource(Do<int>::now(1), broken).flatMap([=](int) {
      return resource(Do<int>::now(2), brokenToo).flatMap([](int) { return Do<int>::raiseError(Boom()); });
    });
  });
  const std::string each = BrokenCallback().what();
  CHECK(errorOf([&] { program.blockingAwait(); }) == "[boom, " + each + ", " + each + "]");
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a release that is stopped does not stop the releases that run beside it") {
  FakeResources fake;
  Manual<void> manual;
  const auto slow = Do<void>::lift(manual.program()).flatMap([] { return Do<void>::now(); });
  const auto broken = resource(Do<int>::now(1), [](int) {
                        return async<void>([](const auto&) {});
                      }).map([](int) { return std::string(); });
  Delivery<std::tuple<std::string, std::string>> delivery;
  tuple2(parallel(fake.make("a", {.releasing = slow})), parallel(broken)).onComplete(delivery.callback());
  manual.take()();
  CHECK(outcomeText(delivery.outcome()) == BrokenCallback().what());
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("an acquire on another thread, and a release on another, keep the order") {
  FakeResources fake;
  test::OtherThread other;
  const test::FakeBehaviour away{.acquiring = other.hop(), .releasing = other.hop()};
  const auto program = fake.make("a", away).flatMap([&](const std::string&) {
    return fake.make("b", away).flatMap([&](const std::string&) { return fake.make("c", away); });
  });
  for (int i = 0; i < 100; ++i) program.blockingAwait();
  CHECK(fake.events().size() == 600);
  CHECK(fake.outOfOrder() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("acquire yields the value with its release, which is then the caller's duty") {
  FakeResources fake;
  const auto acquired = three(fake, [] { return Do<int>::now(5); }).acquire().blockingAwait();
  CHECK(acquired.value.get() == 5);
  CHECK(fake.open() == 3);
  CHECK(acquired.release->blockingAwait().empty());
  CHECK(fake.log() == threeInOrder);
}

TEST_CASE("a release that throws a MultipleException of no errors fails, since there is no such exception") {
  const auto program = resource(Do<int>::now(1), [](int) { throw MultipleException({}); });
  CHECK_THROWS_AS(program.blockingAwait(), std::invalid_argument);
}

TEST_CASE("the errors that the program of a release yields are errors of the release") {
  const auto failing = [](int) {
    return delay([] { return Errors(std::make_exception_ptr(std::runtime_error("release"))); });
  };
  CHECK(errorOf([&] { resource(Do<int>::now(1), failing).blockingAwait(); }) == "release");
}

TEST_CASE("a release that throws Cancelled fails, and does not cancel the run") {
  const auto throwing = resource(Do<int>::now(1), [](int) { throw Cancelled(); });
  test::Delivery<int> alone;
  throwing.onComplete(alone.callback());
  CHECK(test::isError<ReleaseCancelled>(alone.outcome().error()));
  const auto asProgram =
      resource(Do<int>::now(1), [](int) { return Do<void>::delay([] { throw Cancelled(); }); });
  test::Delivery<int> program;
  asProgram.onComplete(program.callback());
  CHECK(test::isError<ReleaseCancelled>(program.outcome().error()));
  const auto cancelling = resource(Do<int>::now(1), [](int) {
    return direct<Do>([]() -> Coroutine<void> {
      co_await Do<void>::now();
      throw Cancelled();
    });
  });
  test::Delivery<int> block;
  cancelling.onComplete(block.callback());
  CHECK(test::isError<ReleaseCancelled>(block.outcome().error()));
  const auto body = throwing.flatMap([](int) { return Do<int>::raiseError(Boom()); });
  CHECK(errorOf([&] { body.blockingAwait(); }) == std::string("[boom, ") + ReleaseCancelled().what() + "]");
}

TEST_CASE("a parallel program of acquires that is stopped releases what the others have acquired") {
  const auto broken = async<int>([](Callback<int>) {});
  const std::string brokenText = BrokenCallback().what();
  FakeResources fake;
  const auto all = tupleN(parallel(fake.make("a").acquire()), parallel(fake.failingRelease("b").acquire()),
                          parallel(broken));
  CHECK(errorOf([&] { all.blockingAwait(); }) == "[" + brokenText + ", release b]");
  CHECK(fake.log() == "+a +b -b -a");
  const auto elements = [&](int i) -> UnitContinuation<extend::Acquired<std::string>> {
    if (i == 1) return fake.make("c").acquire();
    return broken.map([](int) -> extend::Acquired<std::string> { throw Boom(); });
  };
  CHECK(errorOf([&] { parTraverse(std::vector{1, 2}, 1, elements).blockingAwait(); }) == brokenText);
  CHECK(errorOf([&] { parForEach(std::vector{1, 2}, 1, elements).blockingAwait(); }) == brokenText);
  CHECK(fake.log() == "+a +b -b -a +c -c +c -c");
}

TEST_CASE("parForEach of acquires releases what they have acquired, since it drops the values") {
  FakeResources fake;
  const auto each = [&fake](const std::string& name) { return fake.make(name).acquire(); };
  parForEach(std::vector<std::string>{"a", "b"}, 2, each).blockingAwait();
  CHECK(fake.log() == "+a +b -b -a");
  const auto failing = [&fake](const std::string& name) { return fake.failingRelease(name).acquire(); };
  CHECK(errorOf([&] { parForEach(std::vector<std::string>{"c"}, 1, failing).blockingAwait(); }) ==
        "release c");
}

TEST_CASE("a race of acquires releases what its losers have acquired before it yields its winner") {
  for (const bool fails : {false, true}) {
    FakeResources fake;
    Manual<void> slow;
    const auto loser = fake.make("a", {.failRelease = fails, .acquiring = Do<void>::lift(slow.program())});
    Delivery<extend::Acquired<std::string>> delivery;
    raceAll(std::vector{loser.acquire(), fake.make("b").acquire()}).onComplete(delivery.callback());
    REQUIRE(fake.log() == "+b");
    slow.take()();
    CHECK(outcomeText(delivery.outcome()) == (fails ? "release a" : "value"));
    CHECK(fake.log() == (fails ? "+b +a -a -b" : "+b +a -a"));
  }
}

TEST_CASE("a race of acquires of two types releases its winner, too, if the release of the loser fails") {
  FakeResources fake;
  Manual<void> slow;
  const auto loser = fake.make("a", {.failRelease = true, .acquiring = Do<void>::lift(slow.program())});
  Delivery<std::variant<extend::Acquired<std::string>, extend::Acquired<std::size_t>>> delivery;
  const auto winner = fake.make("b").map([](const std::string& name) { return name.size(); });
  race(loser.acquire(), winner.acquire()).onComplete(delivery.callback());
  REQUIRE(fake.log() == "+b");
  slow.take()();
  CHECK(outcomeText(delivery.outcome()) == "release a");
  CHECK(fake.log() == "+b +a -a -b");
}
