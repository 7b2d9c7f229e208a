#include <doctest/doctest.h>

#include <stdexcept>
#include <tuple>

#include "support/programs/nested_do.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::CountedInstances;
using test::depth;
using test::nested;
using test::stopping;
using test::sum;

namespace {

Do<int> left(const Do<int>& inner) { return tuple2(parallel(inner), parallel(Do<int>::now(1))).map(sum); }
Do<int> right(const Do<int>& inner) { return tuple2(parallel(Do<int>::now(1)), parallel(inner)).map(sum); }

}  // namespace

TEST_CASE("a million parallel tuples of Do, nested to the left") {
  CHECK(nested(left).blockingAwait() == depth + 1);
}

TEST_CASE("a million parallel tuples of Do, nested to the right") {
  CHECK(nested(right).blockingAwait() == depth + 1);
}

TEST_CASE("a million parallel tuples of Do, on a pool") {
  ThreadPool pool(2);
  CHECK(nested(left).blockingAwait(pool) == depth + 1);
}

TEST_CASE("a million parallel tuples of Do, never run") {
  { const auto dropped = nested(left); }
  { const auto dropped = nested(right); }
}

TEST_CASE("a million parallel tuples of Do that fail at the bottom") {
  CHECK_THROWS_AS(nested(left, Do<int>::raiseError(std::runtime_error("no"))).blockingAwait(),
                  std::runtime_error);
}

TEST_CASE("a million parallel tuples of Do that are cancelled at the bottom") {
  const StopSource source;
  CHECK_THROWS_AS(nested(right, stopping(source)).blockingAwait(source.token()), Cancelled);
}

TEST_CASE("a million parallel tuples of Do, each with a resource, whose releases are nested as they are") {
  CountedInstances counting;
  const auto one = counting.make();
  const auto program =
      nested([one](const Do<int>& inner) { return tuple2(parallel(inner), parallel(one)).map(sum); });
  CHECK(program.blockingAwait() == depth + 1);
  CHECK(counting.mostOpen == depth);
  CHECK(counting.open == 0);
}
