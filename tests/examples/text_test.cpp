#include "support/text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace tapestry::examples {
namespace {

TEST_CASE("Numbers are rounded to the places asked for") {
  CHECK(fixed(1.0 / 3, 4) == "0.3333");
  CHECK(fixed(-2.5e9, 1) == "-2500000000.0");
  CHECK(fixed(std::numeric_limits<double>::infinity(), 2) == "inf");
  CHECK(percent(0.9712) == "97.12%");
  CHECK(percent(1, 0) == "100%");
}

TEST_CASE("Numbers take the places that they need, ten at most") {
  CHECK(shortest(14) == "14");
  CHECK(shortest(-0.06 - 1e-17) == "-0.06");
  CHECK(shortest(1e-20) == "1e-20");
  CHECK(shortest(1.0 / 3) == "0.3333333333");
}

TEST_CASE("Times are printed in suitable units") {
  CHECK(duration(0) == "0.0 s");
  CHECK(duration(9.44) == "9.4 s");
  CHECK(duration(9.99) == "10 s");
  CHECK(duration(59.4) == "59 s");
  CHECK(duration(59.6) == "1 min 0 s");
  CHECK(duration(200) == "3 min 20 s");
  CHECK(duration(7'500) == "2 h 5 min");
}

TEST_CASE("Text is padded and repeated") {
  CHECK(padLeft("7", 3) == "  7");
  CHECK(padLeft("1234", 3) == "1234");
  CHECK(repeat("ab", 3) == "ababab");
  CHECK(repeat("ab", 0).empty());
}

}  // namespace
}  // namespace tapestry::examples
