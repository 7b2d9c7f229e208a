// Combinators that take anything, to say what they expect, stand in nobody's way.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tapestry/continuation.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  for (; times > 0; --times) result += text;
  return result;
}

int mask(std::string_view text) { return static_cast<int>(text.size()); }

bool race(double, std::string_view) { return true; }

template <class T>
int timeout(const T&, std::string_view) {
  return 1;
}

std::string ensure(UnitContinuation<int> program, const std::string& why) {
  return why + std::to_string(program.blockingAwait());
}

}  // namespace

TEST_CASE(
    "a function of the user's that has a combinator's name is called, also where it converts its arguments") {
  CHECK(repeat("ab", 2) == "abab");
  CHECK(mask("abc") == 3);
  CHECK(race(1, "b"));
  CHECK(timeout(1, "soon"));
  CHECK(ensure(now(1), "because ") == "because 1");
}

TEST_CASE("arguments that a combinator converts are right for it") {
  struct Convertible {
    operator UnitContinuation<void>() const { return now(); }
    operator Clock::Duration() const { return std::chrono::hours(1); }
    operator std::uint64_t() const { return 2; }
  };
  CHECK(ensure(now(1), Convertible()).blockingAwait() == 1);
  CHECK(timeout(sleepFor(std::chrono::milliseconds(1)), Convertible()).blockingAwait());
  repeat(now(1), Convertible()).blockingAwait();
}
