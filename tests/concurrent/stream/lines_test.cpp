#include "tapestry/concurrent/stream/lines.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/error_of_run.hpp"

using namespace tapestry;

namespace {

using Texts = std::vector<std::string>;

Texts linesOf(const Texts& blocks, std::size_t longest = 10) {
  return lines(Stream<std::string>::of(blocks), longest).toVector().blockingAwait();
}

}  // namespace

TEST_CASE("lines are found over the borders of blocks, with both ends of lines") {
  CHECK(linesOf({"ab\ncd\n"}) == Texts{"ab", "cd"});
  CHECK(linesOf({"a", "b\r", "\nc", "\n\n", "d"}) == Texts{"ab", "c", "", "d"});
  CHECK(linesOf({"\n"}) == Texts{""});
  CHECK(linesOf({}).empty());
}

TEST_CASE("a return without a newline is no end of a line, also at the end of the text") {
  CHECK(linesOf({"a\rb\n"}) == Texts{"a\rb"});
  CHECK(linesOf({"ab\n", "cd\r"}) == Texts{"ab", "cd\r"});
  CHECK(linesOf({"\r"}) == Texts{"\r"});
  CHECK(linesOf({"\r\r\n"}) == Texts{"\r"});
  CHECK_THROWS_AS(static_cast<void>(linesOf({"0123456789\r"})), std::length_error);
}

TEST_CASE("lines may have any length") {
  CHECK(linesOf({"a\nb"}, std::numeric_limits<std::size_t>::max()) == Texts{"a", "b"});
}

TEST_CASE("a line that is too long fails after the lines before it, however it comes") {
  CHECK(linesOf({"0123456789\r\n"}) == Texts{"0123456789"});
  for (const Texts& blocks : {Texts{"ok\n0123456789a\n"}, Texts{"ok\n", "01234", "56789", "a", "b"}}) {
    Texts seen;
    const auto limited = lines(Stream<std::string>::of(blocks), 10);
    CHECK(test::errorOfRun(limited.forEach([&](const std::string& line) { seen.push_back(line); })) ==
          "tapestry::lines: a line is too long, got more than 10 bytes, expected at most 10");
    CHECK(seen == Texts{"ok"});
  }
}

TEST_CASE("an error of the blocks comes after the whole lines before it") {
  Texts seen;
  const auto broken = Stream<std::string>::of({"ab\ncd"}).concat(Stream<std::string>::raiseError("lost"));
  const auto noting = lines(broken).forEach([&](const std::string& line) { seen.push_back(line); });
  CHECK(test::errorOfRun(noting) == "lost");
  CHECK(seen == Texts{"ab"});
}
