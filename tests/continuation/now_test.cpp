#include "tapestry/continuation/now.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "support/programs/counted.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using test::Counted;
using test::Large;

TEST_CASE("now yields its value in every run") {
  const auto program = now(std::string("value"));
  CHECK(program.blockingAwait() == "value");
  CHECK(program.blockingAwait() == "value");
}

TEST_CASE("now without an argument yields void") {
  const auto program = now();
  CHECK(std::is_void_v<decltype(program)::ValueType>);
  CHECK_NOTHROW(program.blockingAwait());
}

TEST_CASE("now gives each run a copy and leaves nothing behind") {
  {
    const UnitContinuation<Counted> program = now(Counted(3));
    CHECK(Counted::live() == 1);
    CHECK(program.map([](Counted value) { return value.value(); }).blockingAwait() == 3);
    CHECK(program.blockingAwait().value() == 3);
    CHECK(Counted::live() == 1);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a value that is too large to stand inline in a run is destroyed once") {
  {
    const UnitContinuation<Large> program = now(Large(3));
    CHECK(program.map([](Large value) { return value; }).blockingAwait().value() == 3);
    CHECK(Counted::live() == 1);
  }
  CHECK(Counted::live() == 0);
}
