#include <tapestry/deeplearning/data/text_windows.hpp>

#include <doctest/doctest.h>

#include "support/error_text.hpp"
#include "tapestry/deeplearning/data/dataset.hpp"

using tapestry::Indices;
using tapestry::TextWindows;
using tapestry::test::errorOf;

static_assert(tapestry::Dataset<TextWindows>);

TEST_CASE("each window has its symbols and the symbols that follow them") {
  const TextWindows windows(Indices{0, 1, 2, 3, 4, 5, 6, 7}, 3);
  CHECK(windows.size() == 2);
  CHECK(windows.get(1).text == Indices{3, 4, 5});
  CHECK(windows.get(1).next == Indices{4, 5, 6});
  const TextWindows overlapping(Indices{0, 1, 2, 3, 4}, 3, 1);
  CHECK(overlapping.size() == 2);
  CHECK(overlapping.get(1).next == Indices{2, 3, 4});
  CHECK(TextWindows(Indices{0, 1, 2}, 3).size() == 0);
  CHECK(TextWindows(Indices{0, 1, 2, 3}, 3).size() == 1);
}

TEST_CASE("a window that is not there, and windows without a length, are refused") {
  const TextWindows windows(Indices{0, 1, 2}, 2);
  CHECK(errorOf([&] { (void)windows.get(1); }) ==
        "tapestry::TextWindows: no window, got 1, expected less than 1");
  CHECK(errorOf([&] {
          (void)TextWindows(Indices{0, 1}, 0);
        }) == "tapestry::TextWindows: no length, got 0, expected at least 1");
}
