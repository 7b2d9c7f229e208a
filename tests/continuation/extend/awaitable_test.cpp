// Types of one's own that blocks of direct style await.
#include "tapestry/continuation/extend/awaitable.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "tapestry/continuation.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/extend/program.hpp"

using namespace tapestry;

namespace {

/// Awaited by argument-dependent lookup of toProgram.
struct Seconds {
  int count;
};
auto toProgram(const Seconds& seconds) { return now(seconds.count * 1000); }

/// A kind of programs: an int that is written in words.
struct Words {
  std::string text;
};

}  // namespace

template <>
struct tapestry::detail::Await<Words> {
  static extend::StoppableBlock& scope(extend::StoppableBlock& block) noexcept { return block; }
  static auto program(const Words& words) { return now(words.text.size()); }
  template <class Take>
  static std::size_t value(extend::StoppableBlock&, const Take& take, const extend::Location&) {
    return take() + 100;  // the value of the await is made of the program's
  }
};

static_assert(extend::Awaitable<Seconds> && extend::Awaitable<Words> && !extend::Awaitable<std::string>);

// A tuple and a pair run copies of their parts.
using CopiedPart = decltype(delay([] { return 1; }));
using MoveOnlyPart = decltype(delay([p = std::make_unique<int>()] { return *p; }));
static_assert(extend::Awaitable<std::tuple<CopiedPart, Seconds>> &&
              extend::Awaitable<std::pair<Seconds, CopiedPart>>);
static_assert(extend::Awaitable<MoveOnlyPart> && !extend::Awaitable<std::tuple<MoveOnlyPart, CopiedPart>>);
static_assert(!extend::Awaitable<std::pair<CopiedPart, MoveOnlyPart>>);

TEST_CASE("a block on a fiber awaits user-defined types") {
  CHECK(direct<UnitContinuation>([] { return await(Seconds{2}); }).blockingAwait() == 2000);
  CHECK(direct<UnitContinuation>([] { return await(Words{"four"}); }).blockingAwait() == 104);
}
