#include "tapestry/distributed/rank_error.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tapestry;

TEST_CASE("a RankError has the ranks at fault") {
  const RankError error("ranks 2 and 5 are late", {2, 5});
  CHECK(error.rank() == 2);
  CHECK(error.ranks() == std::vector<std::size_t>{2, 5});
  CHECK(error.what() == std::string("ranks 2 and 5 are late"));
}
