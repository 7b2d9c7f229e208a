// One suite for the styles in which programs are written: what is said of them in common.
#include "tapestry/continuation/direct_style.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/programs/delivery.hpp"
#include "support/programs/direct_styles.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using test::Coroutines;
using test::Counted;
using test::Delivery;
using test::Fibers;
using test::Ints;
using test::Large;
using test::Manual;
using test::Monadic;
using test::MoveOnly;

namespace user {

/// A type of somebody else, which awaits as twice its number.
struct Twice {
  int number;
  friend auto toProgram(const Twice& twice) {
    return tapestry::delay([single = twice.number] { return 2 * single; });
  }
};

struct Number {
  using Type = int;
  static int initial() { return 1; }
};

}  // namespace user

TEST_CASE_TEMPLATE("a program does its work once in each run and never before", Style, Monadic, Fibers,
                   Coroutines) {
  int calls = 0;
  const auto program = Style::count(calls);
  static_assert(std::is_same_v<decltype(program), const UnitContinuation<int>>);
  const auto copy = program;
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(copy.blockingAwait() == 2);
  CHECK(calls == 2);
}

TEST_CASE_TEMPLATE("a program that returns nothing yields void", Style, Monadic, Fibers, Coroutines) {
  bool called = false;
  const UnitContinuation<void> program = Style::nothing(called);
  CHECK_FALSE(called);
  program.blockingAwait();
  CHECK(called);
}

TEST_CASE_TEMPLATE("programs of all types are awaited one after the other", Style, Monadic, Fibers,
                   Coroutines) {
  const auto program = Style::sequence(now(1), Ints(now(2)),
                                       delay([] { return 1; }).flatMap([](int x) { return now(x + 2); }));
  CHECK(program.blockingAwait() == 123);
  CHECK(program.blockingAwait() == 123);
}

TEST_CASE_TEMPLATE("a program calls itself as functions do", Style, Monadic, Fibers, Coroutines) {
  CHECK(Style::fibonacci(15).blockingAwait() == 610);
}

TEST_CASE_TEMPLATE("a loop awaits again and again", Style, Monadic, Fibers, Coroutines) {
  int calls = 0;
  CHECK(Style::loop(100, Style::count(calls)).blockingAwait() == 5050);
}

TEST_CASE_TEMPLATE("a program may capture and await and return what cannot be copied", Style, Monadic, Fibers,
                   Coroutines) {
  {
    const auto program = Style::moveOnly(MoveOnly(3), delay([] { return Large(5); }));
    CHECK(program.blockingAwait().value() == 8);
    CHECK(program.blockingAwait().value() == 8);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE_TEMPLATE("a program that is never run destroys what it has captured", Style, Monadic, Fibers,
                   Coroutines) {
  {
    bool wentOn = false;
    const auto program =
        Style::moveOnly(MoveOnly(3), delay([held = Counted()] { return Large(held.value()); }));
    const auto other = Style::holding(now(), wentOn);
    CHECK(Counted::live() > 0);
    const auto copy = program;
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE_TEMPLATE("a program suspends until what it awaits completes", Style, Monadic, Fibers, Coroutines) {
  Manual<int> manual;
  Delivery<int> delivery;
  Style::sequence(manual.program(), now(0), manual.program()).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 1);
  manual.take()(1);
  REQUIRE(manual.waiting() == 1);
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.outcome().get() == 102);
}

TEST_CASE_TEMPLATE("concurrent runs of one program have states of their own", Style, Monadic, Fibers,
                   Coroutines) {
  Manual<int> manual;
  Delivery<int> first;
  Delivery<int> second;
  const auto program = Style::sequence(manual.program(), manual.program(), manual.program());
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  for (int i = 1; i <= 3; ++i) {
    manual.take()(i);
    manual.take()(i + 3);
  }
  CHECK(first.outcome().get() == 123);
  CHECK(second.outcome().get() == 456);
}

TEST_CASE_TEMPLATE("two programs run in parallel and give both values", Style, Monadic, Fibers, Coroutines) {
  Manual<int> manual;
  Delivery<std::tuple<int, int>> delivery;
  Style::both(manual.program(), manual.program()).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 2);
  manual.take()(1);
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.outcome().get() == std::tuple(1, 2));
}

TEST_CASE_TEMPLATE("programs within programs are awaited like others", Style, Monadic, Fibers, Coroutines) {
  int ends = 0;
  const auto program = Style::nested(20, now(1), ends);
  CHECK(Style::sequence(program, Ints(now(1)), program).blockingAwait() == 2100 + 10 + 21);
  CHECK(ends == 42);
}

TEST_CASE_TEMPLATE("a program may wait for another run and await afterwards", Style, Monadic, Fibers,
                   Coroutines) {
  int calls = 0;
  const auto inner = delay([program = Style::count(calls)] { return program.blockingAwait(); });
  CHECK(Style::sequence(inner, now(5), inner).blockingAwait() == 152);
}

TEST_CASE_TEMPLATE("a program reads the environment of its run", Style, Monadic, Fibers, Coroutines) {
  const auto number = ask<user::Number>();
  CHECK(Style::sequence(number, local<user::Number>(2, number), number).blockingAwait() == 121);
  CHECK(local<user::Number>(3, Style::sequence(number, number, number)).blockingAwait() == 333);
}

TEST_CASE_TEMPLATE("a program can be a step of a loop and contain one", Style, Monadic, Fibers, Coroutines) {
  const auto loop = tailRecM(0, [](int i) {
    return Style::sequence(now(0), now(0), now(i + 1)).map([](int next) {
      return next < 9 ? Step<int, int>::next(next) : Step<int, int>::done(next);
    });
  });
  CHECK(Style::sequence(loop, now(0), loop).blockingAwait() == 909);
}

TEST_CASE_TEMPLATE("the style does not matter to the other styles", Style, Monadic, Fibers, Coroutines) {
  int calls = 0;
  const auto of = [&](auto style) {
    return Style::sequence(style.count(calls), style.fibonacci(3), style.count(calls));
  };
  CHECK(of(Monadic()).blockingAwait() == 122);
  CHECK(of(Fibers()).blockingAwait() == 324);
  CHECK(of(Coroutines()).blockingAwait() == 526);
}

// ---- what only blocks can do

TEST_CASE_TEMPLATE("the parts of a tuple or pair may be of any kind and nothing comes back as Unit", Style,
                   Fibers, Coroutines) {
  const auto [one, nothing, pair] =
      Style::awaiting(std::tuple(now(1), now(), std::pair(user::Twice{1}, delay([] { return MoveOnly(3); }))))
          .blockingAwait();
  static_assert(std::is_same_v<decltype(nothing), const Unit>);
  static_assert(std::is_same_v<decltype(pair), const std::pair<int, MoveOnly>>);
  CHECK(one == 1);
  CHECK(pair.first == 2);
  CHECK(pair.second.value() == 3);
}

TEST_CASE_TEMPLATE("a type with a function toProgram can be awaited", Style, Fibers, Coroutines) {
  static_assert(detail::Awaitable<user::Twice>);
  static_assert(!detail::Awaitable<int>);
  static_assert(!detail::Awaitable<std::tuple<>>);
  static_assert(!detail::Awaitable<std::pair<int, Ints>>);
  CHECK(Style::awaiting(user::Twice{100}).blockingAwait() == 200);
}

TEST_CASE_TEMPLATE("an exception that leaves a block ends the process after the place of the block", Style,
                   Fibers, Coroutines) {
  const auto program = Style::throwing([] { throw std::runtime_error("boom"); });
  const auto line = std::to_string(__LINE__ - 1);
  const std::string text = test::lastWords([&] { program.blockingAwait(); });
  CHECK(text.find("tapestry::direct: ") != std::string::npos);
  CHECK(text.find(std::string(__FILE__) + ":" + line) != std::string::npos);
  CHECK(text.find("boom") != std::string::npos);
}

TEST_CASE_TEMPLATE("another exception than that of the stop ends the process", Style, Fibers, Coroutines) {
  Manual<int> manual;
  const auto program = Style::template replacing<BrokenCallback>(manual.program(),
                                                                 [] { throw std::runtime_error("instead"); });
  const std::string text = test::lastWords([&] {
    program.onComplete([](const Outcome<void>&) {});
    const auto dropped = manual.take();
  });
  CHECK(text.find("instead") != std::string::npos);
}
