#include "tapestry/raii/do.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/validate2.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::errorText;
using test::Manual;
using test::outcomeText;

namespace {

struct Boom : std::runtime_error {
  explicit Boom(const char* text = "boom") : std::runtime_error(text) {}
};

}  // namespace

TEST_CASE("a Do converts to no Do of another value so that overloads that take anything are found") {
  struct Anything {
    Anything(const Do<int>&) {}
  };
  struct Overloaded {
    static int of(const Do<std::string>&) { return 1; }
    static int of(const Anything&) { return 2; }
  };
  CHECK(Overloaded::of(Do<std::string>::now("a")) == 1);
  CHECK(Overloaded::of(Do<int>::now(1)) == 2);
  static_assert(!std::is_convertible_v<Do<int>, Do<std::string>>);
  static_assert(!std::is_constructible_v<Do<std::string>, Do<int>>);
}

TEST_CASE("a Do performs nothing until it is run, and its effects afresh in every run") {
  int calls = 0;
  const auto program = Do<int>::delay([&calls] { return ++calls; }).map([](int x) { return 10 * x; });
  const auto copy = program;
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == 10);
  CHECK(copy.blockingAwait() == 20);
}

TEST_CASE("map and flatMap copy a captured constant once, besides the capture") {
  struct Copied {
    explicit Copied(int& counted) : copies(&counted) {}
    Copied(const Copied& other) : copies(other.copies) { ++*copies; }
    int* copies;
  };
  int copies = 0;
  const Copied constant(copies);  // captured by copy, it is a constant member of the closure
  const auto mapped = Do<void>::now().map([constant] { return constant.copies != nullptr; });
  CHECK(copies == 2);
  const auto made = Do<void>::now().flatMap([constant] { return Do<int>::now(*constant.copies); });
  CHECK(copies == 4);
  const auto lifted = Do<void>::now().flatMap([constant] { return now(*constant.copies); });
  CHECK(copies == 6);
  CHECK(mapped.blockingAwait());
  CHECK(made.blockingAwait() + lifted.blockingAwait() == 12);
}

TEST_CASE("map and flatMap carry values, void among them") {
  const auto program = Do<int>::now(3)
                           .map([](int) {})
                           .map([] { return 4; })
                           .flatMap([](int x) { return Do<void>::now().map([x] { return x + 1; }); })
                           .flatMap([](int x) { return Do<std::string>::now(std::to_string(x)); });
  CHECK(program.blockingAwait() == "5");
  CHECK_NOTHROW(program.flatMap([](const std::string&) { return Do<void>::now(); }).blockingAwait());
}

TEST_CASE("an exception of a function of map or flatMap is the error of that step") {
  CHECK(errorOf([] { Do<int>::now(1).map([](int) -> int { throw Boom(); }).blockingAwait(); }) == "boom");
  CHECK(errorOf([] { Do<int>::now(1).flatMap([](int) -> Do<int> { throw Boom(); }).blockingAwait(); }) ==
        "boom");
}

TEST_CASE(
    "after an error no function is called until handleError, which continues with what its handler makes") {
  int calls = 0;
  const auto program = Do<int>::raiseError(Boom())
                           .map([&calls](int) { return ++calls; })
                           .flatMap([&calls](int) { return Do<int>::now(++calls); })
                           .handleError([](const std::exception_ptr& error) {
                             return Do<int>::now(static_cast<int>(errorText(error).size()));
                           })
                           .map([](int x) { return x + 1; });
  CHECK(program.blockingAwait() == 5);
  CHECK(calls == 0);
}

TEST_CASE("a handler may fail in its turn, by throwing or by raising") {
  const auto failing = Do<int>::raiseError(Boom("first"));
  CHECK(errorOf([&] {
          failing.handleError([](const std::exception_ptr&) -> Do<int> { throw Boom("second"); })
              .blockingAwait();
        }) == "second");
  CHECK(errorOf([&] {
          failing.handleError([](const std::exception_ptr&) { return Do<int>::raiseError(Boom("third")); })
              .blockingAwait();
        }) == "third");
}

TEST_CASE("attempt yields the value or the error as a Try") {
  CHECK(Do<int>::now(1).attempt().blockingAwait().get() == 1);
  CHECK(errorText(Do<int>::raiseError(Boom()).attempt().blockingAwait().error()) == "boom");
  CHECK(Do<void>::now().attempt().blockingAwait().hasValue());
}

TEST_CASE("an executor that refuses work is an error that handleError sees") {
  test::RefusingExecutor refusing;
  const auto program = Do<int>::execute(refusing, [] { return 1; });
  CHECK_THROWS_AS(program.blockingAwait(), ExecutorStopped);
  const auto handled = program.handleError([](const std::exception_ptr&) { return Do<int>::now(2); });
  CHECK(handled.blockingAwait() == 2);
}

TEST_CASE("onComplete delivers a value, an error or a cancellation, once") {
  const auto text = [](const Do<int>& program, const StopToken& stop = {}) {
    Delivery<int> delivery;
    program.onComplete(delivery.callback(), stop);
    CHECK(delivery.count() == 1);
    return outcomeText(delivery.outcome());
  };
  CHECK(text(Do<int>::now(1)) == "value");
  CHECK(text(Do<int>::raiseError(Boom())) == "boom");
  const StopSource source;
  source.requestStop();
  CHECK(text(Do<int>::now(1), source.token()) == "cancelled");
}

TEST_CASE("a request to stop is seen at every flatMap, and no handleError catches it") {
  const StopSource source;
  int calls = 0;
  const auto program = Do<int>::delay([source] {
                         source.requestStop();
                         return 1;
                       })
                           .flatMap([&calls](int x) { return Do<int>::now(x + ++calls); })
                           .handleError([&calls](const std::exception_ptr&) { return Do<int>::now(++calls); })
                           .attempt()
                           .map([&calls](const auto&) { return ++calls; });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(calls == 0);
}

TEST_CASE(
    "a run that waits for a callback when it is asked to stop ends at once, and the callback has no effect") {
  Manual<int> manual;
  const StopSource source;
  Delivery<int> delivery;
  bool went = false;
  Do<int>::lift(manual.program())
      .flatMap([&went](int x) {
        went = true;
        return Do<int>::now(x);
      })
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 1);
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK_FALSE(went);
}

TEST_CASE("a Do can be run several times at once") {
  Manual<int> manual;
  const auto program = Do<int>::lift(manual.program()).map([](int x) { return x + 1; });
  Delivery<int> first;
  Delivery<int> second;
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  auto callback = manual.take();
  manual.take()(10);
  callback(20);
  CHECK(first.outcome().get() == 21);
  CHECK(second.outcome().get() == 11);
}

TEST_CASE("a run that waits continues in the thread that calls back, and blockingAwait returns in its own") {
  Manual<void> manual;
  Delivery<std::thread::id> delivery;
  const auto program = Do<void>::lift(manual.program()).map([] { return std::this_thread::get_id(); });
  program.onComplete(delivery.callback());
  std::thread::id caller;
  std::thread([&] {
    caller = std::this_thread::get_id();
    manual.take()();
  }).join();
  CHECK(delivery.outcome().get() == caller);
  test::OtherThread other;
  const auto hopping = other.hop().map([] { return 1; });
  for (int i = 0; i < 100; ++i) CHECK(hopping.blockingAwait() == 1);
}

TEST_CASE("a Do with a name is listed while it waits") {
  Manual<int> manual;
  Delivery<int> delivery;
  Do<int>::lift(manual.program()).named("query").onComplete(delivery.callback());
  std::ostringstream waiting;
  dumpRuns(waiting);
  CHECK(waiting.str().starts_with("\"query\" ("));
  CHECK(waiting.str().find("do_test.cpp:") != std::string::npos);
  manual.take()(1);
  CHECK(delivery.outcome().get() == 1);
  std::ostringstream ended;
  dumpRuns(ended);
  CHECK(ended.str().empty());
}

TEST_CASE("mutual recursion of programs takes constant memory") {
  struct Ping {
    static Do<int> ping(int left) {
      return Do<int>::suspend([left] { return left == 0 ? Do<int>::now(7) : pong(left - 1); });
    }
    static Do<int> pong(int left) {
      return Do<int>::suspend([left] { return left == 0 ? Do<int>::now(8) : ping(left - 1); });
    }
  };
  CHECK(Ping::ping(100'001).blockingAwait() == 8);
}

TEST_CASE("no handler sees that a function throws Cancelled where other errors come to it") {
  const auto cancels = Do<int>::delay([]() -> int { throw Cancelled(); });
  const auto release = resource(Do<void>::now(), [] { throw std::runtime_error("release"); });
  const auto body = release.flatMap([cancels] { return cancels; }).run();
  const auto both = validate2(cancels, Do<int>::raiseError("no")).map([](const auto&) { return 1; });
  for (const auto& program : {body, both}) {
    bool handled = false;
    const auto handling = program.handleError([&handled](const std::exception_ptr&) {
      handled = true;
      return Do<int>::now(1);
    });
    CHECK_THROWS_AS(handling.blockingAwait(), MultipleException);
    CHECK_FALSE(handled);
  }
}

TEST_CASE("a function that throws Cancelled cancels its run, and no handler sees that") {
  bool handled = false;
  const auto program =
      Do<int>::delay([]() -> int { throw Cancelled(); }).handleError([&handled](const std::exception_ptr&) {
        handled = true;
        return Do<int>::now(1);
      });
  Delivery<int> delivery;
  program.onComplete(delivery.callback());
  CHECK(delivery.outcome().isCancelled());
  CHECK_THROWS_AS(program.blockingAwait(), Cancelled);
  CHECK_FALSE(handled);
}
