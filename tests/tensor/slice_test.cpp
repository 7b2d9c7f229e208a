#include <tapestry/tensor/slice.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

using tapestry::Slice;

namespace {

std::vector<std::ptrdiff_t> indices(const Slice& slice, std::size_t extent) {
  const auto range = slice.of(extent, "test");
  std::vector<std::ptrdiff_t> all;
  for (std::size_t i = 0; i < range.count; ++i)
    all.push_back(static_cast<std::ptrdiff_t>(range.first) + static_cast<std::ptrdiff_t>(i) * range.step);
  return all;
}

/// Python's rules, word by word: bounds count from the end where negative, and are clipped.
std::vector<std::ptrdiff_t> expected(std::ptrdiff_t start, std::ptrdiff_t stop, std::ptrdiff_t step,
                                     std::ptrdiff_t extent) {
  const auto bound = [&](std::ptrdiff_t given) {
    if (given < 0) given += extent;
    if (step > 0) return given < 0 ? 0 : given > extent ? extent : given;
    return given < -1 ? -1 : given >= extent ? extent - 1 : given;
  };
  std::vector<std::ptrdiff_t> all;
  for (auto i = bound(start); step > 0 ? i < bound(stop) : i > bound(stop); i += step) all.push_back(i);
  return all;
}

using List = std::vector<std::ptrdiff_t>;

}  // namespace

TEST_CASE("a slice without bounds is all of an axis in the direction of its step") {
  CHECK(indices({}, 4) == List{0, 1, 2, 3});
  CHECK(indices({.step = 3}, 7) == List{0, 3, 6});
  CHECK(indices({.step = -1}, 3) == List{2, 1, 0});
  CHECK(indices({.step = -2}, 4) == List{3, 1});
  CHECK(indices({}, 0).empty());
  CHECK(indices({.step = -1}, 0).empty());
}

TEST_CASE("a single index is a slice of one, counted from the end where negative") {
  CHECK(indices(Slice::at(1), 3) == List{1});
  CHECK(indices(Slice::at(-1), 3) == List{2});
  CHECK(indices(Slice::at(-3), 3) == List{0});
}

TEST_CASE("a single index that an axis does not have selects nothing") {
  constexpr Slice highest = Slice::at(std::numeric_limits<std::ptrdiff_t>::max());
  constexpr Slice lowest = Slice::at(std::numeric_limits<std::ptrdiff_t>::min());
  for (const Slice& slice : {Slice::at(3), Slice::at(-4), highest, lowest}) CHECK(indices(slice, 3).empty());
  CHECK(indices(Slice::at(0), 0).empty());
  CHECK(indices(Slice::at(-1), 0).empty());
}

TEST_CASE("bounds and steps of all kinds are those of Python") {
  for (std::ptrdiff_t extent = 0; extent < 5; ++extent)
    for (std::ptrdiff_t start = -7; start < 8; ++start)
      for (std::ptrdiff_t stop = -7; stop < 8; ++stop)
        for (const std::ptrdiff_t step : {-3, -2, -1, 1, 2, 3}) {
          CAPTURE(extent);
          CAPTURE(start);
          CAPTURE(stop);
          CAPTURE(step);
          CHECK(indices({start, stop, step}, static_cast<std::size_t>(extent)) ==
                expected(start, stop, step, extent));
        }
}

TEST_CASE("a step beyond all of an axis chooses one index") {
  constexpr auto least = std::numeric_limits<std::ptrdiff_t>::min();
  CHECK(indices({.step = -(least + 1)}, 3) == List{0});
  CHECK(indices({.step = least}, 3) == List{2});
}

TEST_CASE("a slice that does not advance is refused") {
  CHECK_THROWS_WITH_AS(indices({.step = 0}, 3),
                       "tapestry::test: the slice does not advance, got a step of 0, expected another step",
                       tapestry::ShapeError);
}
