#include "tapestry/continuation/unit_continuation_monad.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/error_text.hpp"

using namespace tapestry;
using M = UnitContinuationMonad;

TEST_CASE("UnitContinuationMonad gives transformers the operations of UnitContinuation") {
  static_assert(Monad<M>);
  M::Type<int> program = M::now(3);
  CHECK(program.blockingAwait() == 3);
  CHECK(M::map(program, [](int x) { return std::to_string(x); }).blockingAwait() == "3");
  CHECK(M::flatMap(program, [](int x) { return M::now(x + 1); }).blockingAwait() == 4);
}

TEST_CASE("UnitContinuationMonad's mask hides a request to stop until its end") {
  const StopSource source;
  bool inside = false;
  bool after = false;
  auto masked = M::mask(M::flatMap(M::map(M::now(1),
                                          [source](int x) {
                                            source.requestStop();
                                            return x;
                                          }),
                                   [&inside](int x) {
                                     inside = true;
                                     return M::now(x);
                                   }));
  auto program = M::flatMap(std::move(masked), [&after](int x) {
    after = true;
    return M::now(x);
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(inside);
  CHECK_FALSE(after);
}

TEST_CASE(
    "UnitContinuationMonad's onStop adds the errors of the finalizer to the stop, and only then runs it") {
  int finalized = 0;
  const UnitContinuation<Errors> finalizer = delay([&finalized] {
    ++finalized;
    return Errors(std::make_exception_ptr(std::runtime_error("finalizer")));
  });
  CHECK(M::onStop(M::now(1), finalizer).blockingAwait() == 1);
  CHECK(finalized == 0);
  const StopSource source;
  source.requestStop();
  const auto stopped = M::onStop(M::flatMap(M::now(1), [](int x) { return M::now(x); }), finalizer);
  CHECK(test::errorOf([&] { stopped.blockingAwait(source.token()); }) == "finalizer");
  CHECK(finalized == 1);
}
