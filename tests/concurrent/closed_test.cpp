#include "tapestry/concurrent/closed.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("Closed says what has happened") {
  const tapestry::Closed closed;
  const std::exception& error = closed;
  CHECK(std::string(error.what()) == "tapestry: it was used after it had been closed");
}
