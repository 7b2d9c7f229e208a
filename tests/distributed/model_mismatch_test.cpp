#include "tapestry/distributed/model_mismatch.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("a mismatch has its rank and its message") {
  const tapestry::ModelMismatch error("another model", 3);
  CHECK(error.rank() == 3);
  CHECK(error.what() == std::string("another model"));
}
