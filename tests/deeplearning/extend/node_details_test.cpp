#include <tapestry/deeplearning/extend/node_details.hpp>

#include <doctest/doctest.h>

namespace tapestry {

using extend::Attribute;

TEST_CASE("axes are an attribute as the user wrote them") {
  CHECK(std::get<std::vector<std::int64_t>>(extend::attributeOf({-1, 0})) ==
        std::vector<std::int64_t>{-1, 0});
  CHECK(std::get<std::string>(extend::attributeOf(Axes::all())) == "all");
}

TEST_CASE("attributes are made from numbers and texts, and copied") {
  enum Kind { first, second };
  extend::Attributes attributes{
      {"axis", 2},     {"rate", 0.5F}, {"keep", true}, {"name", "sum"}, {"parts", Shape{4, 5}.rank()},
      {"kind", second}};
  const extend::Attributes copy = attributes;
  attributes = {};
  REQUIRE(copy.size() == 6);
  CHECK(std::get<std::int64_t>(copy[0].second) == 2);
  CHECK(std::get<double>(copy[1].second) == 0.5);
  CHECK(std::get<bool>(copy[2].second));
  CHECK(std::get<std::string>(copy[3].second) == "sum");
  CHECK(std::get<std::int64_t>(copy[4].second) == 2);
  CHECK(std::get<std::int64_t>(copy[5].second) == 1);
  CHECK(attributes.empty());
}

TEST_CASE("extents are an attribute as a list of integers") {
  CHECK(extend::integersOf(Shape{2, 3}) == std::vector<std::int64_t>{2, 3});
}

}  // namespace tapestry
