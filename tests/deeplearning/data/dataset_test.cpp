#include <tapestry/deeplearning/data/dataset.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace {

struct Words {
  std::size_t size() const { return 2; }
  const std::string& get(std::size_t index) const { return index == 0 ? first : second; }
  std::string first = "a", second = "b";
};

struct Endless {
  int get(std::size_t) const { return 1; }
};

struct Nothing {
  std::size_t size() const { return 1; }
  void get(std::size_t) const {}
};

struct Changing {
  std::size_t size() const { return 1; }
  int get(std::size_t) { return 1; }
};

}  // namespace

TEST_CASE("a dataset has a size, and items that are made without changing it") {
  static_assert(tapestry::Dataset<Words>);
  static_assert(std::is_same_v<tapestry::ItemOf<Words>, std::string>);
  static_assert(!tapestry::Dataset<Endless>);
  static_assert(!tapestry::Dataset<Nothing>);
  static_assert(!tapestry::Dataset<Changing>);
  CHECK(Words().get(1) == "b");
}
