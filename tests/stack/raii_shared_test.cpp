#include <doctest/doctest.h>

#include <stdexcept>
#include <tuple>

#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::depth;

namespace {

/// shared of map of shared of map and so on, over the program.
Do<int> sharedChain(Do<int> program) {
  for (int i = 0; i < depth; ++i)
    program = program.shared().map([](const Handle<int>& handle) { return *handle + 1; });
  return program;
}

}  // namespace

TEST_CASE("a chain of a million shared programs, run") {
  int open = 0;
  int opened = 0;
  const auto program =
      sharedChain(resource(Do<int>::delay([&] { return ++open, ++opened; }), [&](int) { --open; }));
  CHECK(program.blockingAwait() == depth + 1);
  CHECK(open == 0);
  CHECK(opened == 1);
}

TEST_CASE("a chain of a million shared programs, used twice at once") {
  const auto program = sharedChain(Do<int>::now(0));
  const auto both = tuple2(parallel(program), parallel(program)).blockingAwait();
  CHECK(both == std::tuple(depth, depth));
}

TEST_CASE("a chain of a million shared programs that fails at the bottom") {
  CHECK_THROWS_AS(sharedChain(Do<int>::raiseError(std::runtime_error("no"))).blockingAwait(),
                  std::runtime_error);
}

TEST_CASE("a chain of a million shared programs, never run") {
  { const auto dropped = sharedChain(Do<int>::now(0)); }
}

TEST_CASE("a million users that wait for one shared program") {
  Callback<Try<int>>* opening = nullptr;
  int served = 0;
  const auto shared = Do<int>::async([&opening](const auto& callback) {
                        opening = new Callback<Try<int>>(callback);
                      }).shared();
  for (int i = 0; i < depth; ++i)
    shared.onComplete([&served](const auto& outcome) { served += outcome.hasValue(); });
  (*opening)(Try<int>::success(1));
  delete opening;
  CHECK(served == depth);
}
