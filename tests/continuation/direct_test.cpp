#include "tapestry/continuation/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/counted.hpp"
#include "support/delivery.hpp"
#include "support/manual.hpp"
#include "tapestry/continuation/environment.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Large;
using test::Manual;
using test::MoveOnly;

namespace user {

/// A type of somebody else, which awaits as twice its number.
struct Twice {
  int number;
  friend auto toProgram(const Twice& twice) {
    return tapestry::delay([number = twice.number] { return 2 * number; });
  }
};

/// Outside of namespace tapestry everything is found through its arguments.
inline int found() {
  return await(tapestry::delay([] { return 1; })) + !tapestry::now(2) +
         !tapestry::UnitContinuation<int>(tapestry::now(3));
}

}  // namespace user

TEST_CASE("a block is called once in each run and never before") {
  int calls = 0;
  const auto program = direct<UnitContinuation>([&] { return ++calls; });
  static_assert(std::is_same_v<decltype(program), const UnitContinuation<int>>);
  const auto copy = program;
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(copy.blockingAwait() == 2);
  CHECK(calls == 2);
}

TEST_CASE("a block that returns nothing is a program that yields void") {
  bool called = false;
  const UnitContinuation<void> program = direct<UnitContinuation>([&] { called = true; });
  program.blockingAwait();
  CHECK(called);
}

TEST_CASE("await and the exclamation mark give the values of erased and unerased programs") {
  const UnitContinuation<int> erased = now(1);
  const auto program = direct<UnitContinuation>([=] {
    await(now());
    !UnitContinuation<void>(now());
    const int sum = await(erased) + !delay([] { return 20; }) + !now(300).map([](int x) { return x; });
    return sum + await(now(4000).flatMap([](int x) { return now(x); }));
  });
  CHECK(program.blockingAwait() == 4321);
  CHECK(program.blockingAwait() == 4321);
  CHECK(direct<UnitContinuation>([] { return user::found(); }).blockingAwait() == 6);
}

TEST_CASE("a block may capture await and return what cannot be copied") {
  {
    auto captured = std::make_unique<int>(3);
    const auto program = direct<UnitContinuation>([captured = std::move(captured)] {
      const MoveOnly first = !delay([] { return MoveOnly(4); });
      const Large large = !delay([] { return Large(5); });
      return MoveOnly(*captured + first.value() + large.value());
    });
    CHECK(program.blockingAwait().value() == 12);
    CHECK(program.blockingAwait().value() == 12);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("functions that are called from a block may await as well") {
  struct Fibonacci {
    static int at(int n) { return n < 2 ? !now(n) : at(n - 1) + at(n - 2); }
  };
  CHECK(direct<UnitContinuation>([] { return Fibonacci::at(15); }).blockingAwait() == 610);
}

TEST_CASE("a block suspends until what it awaits completes") {
  Manual<int> manual;
  Delivery<int> delivery;
  const auto program = direct<UnitContinuation>([&] {
    const int a = !manual.program();
    const int b = !manual.program();
    return 10 * a + b;
  });
  program.onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 1);
  manual.take()(1);
  REQUIRE(manual.waiting() == 1);
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.outcome().get() == 12);
}

TEST_CASE("concurrent runs of one program have blocks of their own") {
  Manual<int> manual;
  Delivery<int> first;
  Delivery<int> second;
  const auto program = direct<UnitContinuation>([&] {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum = 10 * sum + !manual.program();
    return sum;
  });
  program.onComplete(first.callback());
  program.onComplete(second.callback());
  for (int i = 1; i <= 3; ++i) {
    manual.take()(i);
    manual.take()(i + 3);
  }
  CHECK(first.outcome().get() == 123);
  CHECK(second.outcome().get() == 456);
}

TEST_CASE("the parts of a tuple or pair run in parallel and their values come back in it") {
  Manual<int> manual;
  Delivery<int> delivery;
  direct<UnitContinuation>([&] {
    auto [a, b, nothing] = !std::tuple(manual.program(), manual.program(), now());
    static_assert(std::is_same_v<decltype(nothing), Unit>);
    const std::pair<int, MoveOnly> pair = !std::pair(manual.program(), delay([] { return MoveOnly(4); }));
    return 1000 * a + 100 * b + 10 * pair.first + pair.second.value();
  }).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 2);
  manual.take()(1);
  manual.take()(2);
  manual.take()(3);
  CHECK(delivery.outcome().get() == 1234);
  CHECK(direct<UnitContinuation>([] {
          auto [a, bc] = !std::tuple(now(1), std::pair(now(2), now(3)));
          return 100 * a + 10 * bc.first + bc.second;
        }).blockingAwait() == 123);
}

TEST_CASE("a type with a function toProgram can be awaited also within a pair") {
  static_assert(detail::Awaitable<user::Twice>);
  static_assert(!detail::Awaitable<int>);
  static_assert(!detail::Awaitable<std::tuple<>>);
  static_assert(!detail::Awaitable<std::pair<int, UnitContinuation<int>>>);
  const auto program = direct<UnitContinuation>([] {
    auto [a, b] = await(std::pair(user::Twice{1}, now(10)));
    return await(user::Twice{100}) + a + b;
  });
  CHECK(program.blockingAwait() == 212);
}

TEST_CASE("blocks within blocks are awaited like other programs") {
  const auto inner = [](int x) { return direct<UnitContinuation>([=] { return 2 * !now(x); }); };
  const auto outer = direct<UnitContinuation>([=] {
    int sum = 0;
    for (int i = 0; i < 5; ++i) sum += !inner(i);
    return sum;
  });
  CHECK(outer.blockingAwait() == 20);
}

TEST_CASE("a block may wait for another run and await afterwards") {
  const auto inner = direct<UnitContinuation>([] { return !now(2); });
  CHECK(direct<UnitContinuation>([=] {
          return 100 * !now(1) + 10 * inner.blockingAwait() + !now(3);
        }).blockingAwait() == 123);
}

TEST_CASE("a block reads the environment of its run") {
  struct Number {
    using Type = int;
    static int initial() { return 1; }
  };
  const auto block =
      direct<UnitContinuation>([] { return 10 * !ask<Number>() + !local<Number>(5, ask<Number>()); });
  CHECK(block.blockingAwait() == 15);
  CHECK(local<Number>(2, block).blockingAwait() == 25);
}

TEST_CASE("a block can be a step of a loop and contain one") {
  const auto loop = tailRecM(0, [](int i) {
    return direct<UnitContinuation>(
        [=] { return i < 1000 ? Step<int, int>::next(!now(i + 1)) : Step<int, int>::done(i); });
  });
  CHECK(direct<UnitContinuation>([=] { return !loop + !loop; }).blockingAwait() == 2000);
}

TEST_CASE("await outside of a block is an error that says where it belongs") {
  const auto message = [](auto function) -> std::string {
    try {
      function();
      return "no error";
    } catch (const std::logic_error& error) {
      return error.what();
    }
  };
  const std::string expected =
      "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... })";
  CHECK(message([] { await(now(1)); }) == expected);
  CHECK(message([] { !UnitContinuation<int>(now(1)); }) == expected);
  // also in functions that the run calls for a block, and in other runs on a block's stack
  const auto awaiting = delay([&] { return message([] { await(now(1)); }); });
  CHECK(direct<UnitContinuation>([=] { return !awaiting; }).blockingAwait() == expected);
  CHECK(direct<UnitContinuation>([=] { return awaiting.blockingAwait(); }).blockingAwait() == expected);
  CHECK(message([&] { direct<UnitContinuation>([] {}).blockingAwait(), await(now(1)); }) == expected);
}

TEST_CASE("await in a destructor that the library calls is an error") {
  std::string message;
  struct AwaitsAtTheEnd {
    explicit AwaitsAtTheEnd(std::string& text) : message(&text) {}
    AwaitsAtTheEnd(AwaitsAtTheEnd&& other) noexcept : message(std::exchange(other.message, nullptr)) {}
    ~AwaitsAtTheEnd() {
      try {
        if (message) await(now(1));
      } catch (const std::logic_error& error) {
        *message = error.what();
      }
    }
    std::string* message;
  };
  direct<UnitContinuation>([&] {
    UnitContinuation<int> program = delay([value = AwaitsAtTheEnd(message)] { return 1; });
    program = now(2);
    return !program;
  }).blockingAwait();
  CHECK(message ==
        "tapestry::await: called in a destructor that the library calls, expected a call in the block");
}
