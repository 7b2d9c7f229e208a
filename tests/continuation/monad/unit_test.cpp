#include "tapestry/continuation/monad/unit.hpp"

#include <doctest/doctest.h>

using namespace tapestry;

TEST_CASE("all units are equal") { CHECK(Unit{} == Unit{}); }

TEST_CASE("void is kept as a unit and everything else as itself") {
  CHECK(std::is_same_v<Stored<void>, Unit>);
  CHECK(std::is_same_v<Stored<int>, int>);
}
