#include <tapestry/tensor/shape_error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

TEST_CASE("a shape error names the operation, the problem, the shapes it got and those it expected") {
  const tapestry::ShapeError error("matmul", "inner dimensions differ", "[2, 3] and [4, 5]",
                                   "[.., K] and [K, ..]");
  CHECK(std::string(error.what()) ==
        "tapestry::matmul: inner dimensions differ, got [2, 3] and [4, 5], expected [.., K] and [K, ..]");
}

TEST_CASE("a shape error is an invalid argument") {
  CHECK_THROWS_AS(throw tapestry::ShapeError("add", "", "", ""), std::invalid_argument);
}

TEST_CASE("a shape error with another name has the message of the inner error otherwise") {
  const tapestry::ShapeError inner("subtract", "shapes: bad", "[2]", "[3]");
  CHECK(std::string(tapestry::ShapeError("mse", inner).what()) ==
        "tapestry::mse: shapes: bad, got [2], expected [3]");
}
