#include "tapestry/continuation/outcome.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "support/programs/counted.hpp"

using namespace tapestry;
using test::Counted;
using test::MoveOnly;

TEST_CASE("an outcome is a value or an error or cancelled and only one of them") {
  const auto value = Outcome<int>::value(7);
  CHECK(value.hasValue());
  CHECK_FALSE(value.hasError());
  CHECK_FALSE(value.isCancelled());
  CHECK(value.get() == 7);
  CHECK(value.error() == nullptr);

  const auto error = Outcome<int>::error(std::make_exception_ptr(std::runtime_error("boom")));
  CHECK_FALSE(error.hasValue());
  CHECK(error.hasError());
  CHECK_FALSE(error.isCancelled());

  const auto cancelled = Outcome<int>::cancelled();
  CHECK_FALSE(cancelled.hasValue());
  CHECK_FALSE(cancelled.hasError());
  CHECK(cancelled.isCancelled());
}

TEST_CASE("an outcome turns into its value or is thrown") {
  CHECK(Outcome<int>::value(7).valueOrThrow() == 7);
  CHECK_NOTHROW(Outcome<void>::value({}).valueOrThrow());
  CHECK_THROWS_AS(Outcome<int>::error(std::make_exception_ptr(std::runtime_error("boom"))).valueOrThrow(),
                  std::runtime_error);
  CHECK_THROWS_AS(Outcome<int>::cancelled().valueOrThrow(), Cancelled);
  CHECK_THROWS_AS(Outcome<void>::cancelled().valueOrThrow(), Cancelled);
}

TEST_CASE("an outcome moves a value that cannot be copied and destroys it once") {
  {
    auto outcome = Outcome<MoveOnly>::value(MoveOnly(5));
    CHECK(outcome.get().value() == 5);
    const MoveOnly value = std::move(outcome).valueOrThrow();
    CHECK(value.value() == 5);
  }
  CHECK(Counted::live() == 0);
}
