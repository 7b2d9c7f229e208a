#include "tapestry/raii/tryt/try.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "support/error_text.hpp"

using namespace tapestry;
using tapestry::test::errorOf;
using tapestry::test::errorText;

namespace {

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

}  // namespace

TEST_CASE("a success has a value and no error") {
  auto success = Try<int>::success(3);
  CHECK(success.hasValue());
  CHECK(success.error() == nullptr);
  CHECK(success.get() == 3);
  CHECK(std::move(success).valueOrThrow() == 3);
}

TEST_CASE("a failure has an error and throws it") {
  auto failure = Try<int>::failure(error("no"));
  CHECK_FALSE(failure.hasValue());
  CHECK(errorText(failure.error()) == "no");
  CHECK_THROWS_AS(std::move(failure).valueOrThrow(), std::runtime_error);
}

TEST_CASE("the error of a Try that is given away is moved out") {
  auto failure = Try<int>::failure(error("no"));
  const std::exception_ptr* const kept = &failure.error();
  const std::exception_ptr taken = std::move(failure).error();
  CHECK(errorText(taken) == "no");
  CHECK(*kept == nullptr);
}

TEST_CASE("a failure without an error is a checked error, not a value") {
  auto failure = Try<int>::failure(nullptr);
  CHECK_FALSE(failure.hasValue());
  CHECK(errorText(failure.error()).starts_with("tapestry::Try::failure: "));
}

TEST_CASE("Try::of takes what the function returns or throws") {
  CHECK(Try<int>::of([] { return 4; }).get() == 4);
  CHECK(errorText(Try<int>::of([]() -> int { throw std::runtime_error("thrown"); }).error()) == "thrown");
  CHECK(Try<void>::of([] {}).hasValue());
  CHECK(errorText(Try<void>::of([] { throw std::runtime_error("thrown"); }).error()) == "thrown");
}

TEST_CASE("a Try may hold void, a move-only value, a value without a default, or another Try") {
  auto nothing = Try<void>::success({});
  CHECK_NOTHROW(std::move(nothing).valueOrThrow());
  CHECK(*Try<std::unique_ptr<int>>::success(std::make_unique<int>(5)).valueOrThrow() == 5);
  struct NoDefault {
    explicit NoDefault(int v) : value(v) {}
    int value;
  };
  CHECK(Try<NoDefault>::success(NoDefault(6)).get().value == 6);
  const auto nested = Try<Try<int>>::success(Try<int>::failure(error("inner")));
  CHECK(nested.hasValue());
  CHECK(errorText(nested.get().error()) == "inner");
}

TEST_CASE("absorbing no errors changes nothing") {
  auto value = Try<int>::success(1);
  value.absorb(Errors());
  CHECK(value.hasValue());
  auto failure = Try<int>::failure(error("no"));
  failure.absorb(Errors());
  CHECK(errorText(failure.error()) == "no");
}

TEST_CASE("a value gives way to the errors that it absorbs") {
  auto value = Try<int>::success(1);
  value.absorb(Errors(error("one")));
  CHECK_FALSE(value.hasValue());
  CHECK(errorText(value.error()) == "one");
}

TEST_CASE("an error stays the first of the errors that it absorbs") {
  Errors more(error("second"));
  more.append(error("third"));
  auto failure = Try<int>::failure(error("first"));
  failure.absorb(more);
  CHECK(errorText(failure.error()) == "[first, second, third]");
  failure.absorb(Errors(error("fourth")));
  CHECK(errorText(failure.error()) == "[first, second, third, fourth]");
}
