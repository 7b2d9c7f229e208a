#include <tapestry/deeplearning/extend/node_details.hpp>

#include <doctest/doctest.h>

namespace tapestry {

using extend::Attribute;

TEST_CASE("axes are an attribute as the user wrote them") {
  CHECK(std::get<std::vector<std::int64_t>>(extend::attributeOf({-1, 0})) ==
        std::vector<std::int64_t>{-1, 0});
  CHECK(std::get<std::string>(extend::attributeOf(Axes::all())) == "all");
}

TEST_CASE("extents are an attribute as a list of integers") {
  CHECK(extend::integersOf(Shape{2, 3}) == std::vector<std::int64_t>{2, 3});
}

}  // namespace tapestry
