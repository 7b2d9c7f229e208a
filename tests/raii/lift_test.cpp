#include "tapestry/raii/lift.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <memory>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::isError;

TEST_CASE("lift deduces what the program yields") {
  const auto number = lift(now(1).map([](int x) { return x + 0.5; }));
  static_assert(std::same_as<decltype(number), const Do<double>>);
  CHECK(number.blockingAwait() == 1.5);
  static_assert(std::same_as<decltype(lift(UnitContinuation<void>(now()))), Do<void>>);
}

TEST_CASE("flatMap of Do continues with a program that cannot fail") {
  const auto erased = Do<int>::now(1).flatMap([](int x) { return UnitContinuation<int>(now(x + 1)); });
  static_assert(std::same_as<decltype(erased), const Do<int>>);
  CHECK(erased.blockingAwait() == 2);
  const Do<int> kept = erased;
  const auto unerased = kept.flatMap([](int x) { return delay([x] { return std::to_string(x); }); });
  static_assert(std::same_as<decltype(unerased), const Do<std::string>>);
  CHECK(unerased.blockingAwait() == "2");
  const auto nothing = Do<void>::now().flatMap([] { return now(); });
  static_assert(std::same_as<decltype(nothing), const Do<void>>);
  nothing.blockingAwait();
}

TEST_CASE("flatMap of Do moves a value that cannot be copied through a program that cannot fail") {
  const auto program = Do<std::unique_ptr<int>>::delay([] {
                         return std::make_unique<int>(3);
                       }).flatMap([](std::unique_ptr<int> x) { return delay([y = *x] { return y; }); });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("flatMap of Do fails with what stops a program that cannot fail, and releases") {
  FakeResources fake;
  Delivery<int> delivery;
  fake.make("a")
      .flatMap([](const std::string&) { return async<int>([](const Callback<int>&) {}); })
      .onComplete(delivery.callback());
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("intransitiveFlatMap releases as soon as a program that cannot fail has its result") {
  FakeResources fake;
  fake.make("a")
      .intransitiveFlatMap([](const std::string& a) { return now(a); })
      .map([&](const std::string&) { fake.note("after"); })
      .blockingAwait();
  CHECK(fake.log() == "+a -a after");
}
