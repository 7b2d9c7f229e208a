#include "tapestry/version.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the numbers of the version are those of its text") {
  CHECK(std::to_string(TAPESTRY_VERSION_MAJOR) + "." + std::to_string(TAPESTRY_VERSION_MINOR) + "." +
            std::to_string(TAPESTRY_VERSION_PATCH) ==
        TAPESTRY_VERSION_TEXT);
}

TEST_CASE("the preprocessor compares versions by one number") {
#if TAPESTRY_VERSION < 100 || TAPESTRY_VERSION >= 20000
  FAIL("the number is none of a version from 0.1.0 to 1.99.99");
#endif
  CHECK(TAPESTRY_VERSION % 100 == TAPESTRY_VERSION_PATCH);
  CHECK(TAPESTRY_VERSION / 10000 == TAPESTRY_VERSION_MAJOR);
}
