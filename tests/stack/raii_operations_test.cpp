// Programs of the operations of Do, nested a million deep, on a small native stack.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "support/programs/nested_do.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/cancellable_resource.hpp"
#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/tail_rec_m.hpp"
#include "tapestry/raii/validate2.hpp"

using namespace tapestry;
using test::CountedInstances;
using test::depth;
using test::nested;
using test::stopping;
using test::sum;
using test::Wrap;

namespace {

void run(const Wrap& wrap) { CHECK_NOTHROW(nested(wrap).blockingAwait()); }

/// The source of the intransitiveFlatMap holds a resource while the inner program runs.
Wrap holdingSource(CountedInstances& counting) {
  return [&counting](const Do<int>& inner) {
    return counting.make().intransitiveFlatMap([inner](int) { return inner; });
  };
}

void cancelAtTheBottom(const Wrap& wrap) {
  const StopSource source;
  CHECK_THROWS_AS(nested(wrap, stopping(source)).blockingAwait(source.token()), Cancelled);
}

}  // namespace

TEST_CASE("a million intransitiveFlatMaps, each of whose sources has a resource, nested to the right") {
  CountedInstances counting;
  run(holdingSource(counting));
  cancelAtTheBottom(holdingSource(counting));
  CHECK(counting.mostOpen == depth);
  CHECK(counting.open == 0);
  CHECK(counting.released == 2 * depth);
}

TEST_CASE("a million intransitiveFlatMaps, each of whose sources has a resource, that fail at the end") {
  CountedInstances counting;
  const auto program = nested(holdingSource(counting), Do<int>::raiseError(std::runtime_error("no")));
  CHECK_THROWS_AS(program.blockingAwait(), std::runtime_error);
  CHECK(counting.open == 0);
  CHECK(counting.released == depth);
}

TEST_CASE("a million intransitiveFlatMaps, nested to the left, hold one resource at a time and the next") {
  CountedInstances counting;
  const auto one = counting.make();
  const auto program =
      nested([one](const Do<int>& before) { return before.intransitiveFlatMap([one](int) { return one; }); });
  CHECK(program.blockingAwait() == 1);
  CHECK(counting.mostOpen == 2);
  CHECK(counting.open == 0);
}

TEST_CASE("a million intransitiveMaps") {
  run([](const Do<int>& inner) { return inner.intransitiveMap([](int x) { return x + 1; }); });
}

TEST_CASE("a million validations in sequence, nested to the left") {
  const auto one = Do<int>::now(1);
  run([one](const Do<int>& inner) { return validate2(inner, one).map(sum); });
}

TEST_CASE("a million validations in sequence, nested to the right") {
  const auto one = Do<int>::now(1);
  cancelAtTheBottom([one](const Do<int>& inner) { return validate2(one, inner).map(sum); });
}

TEST_CASE("a million validations in parallel, nested to the left") {
  const auto one = Do<int>::now(1);
  run([one](const Do<int>& inner) { return validate2(parallel(inner), parallel(one)).map(sum); });
}

TEST_CASE("a million validations in parallel, nested to the right") {
  const auto one = Do<int>::now(1);
  cancelAtTheBottom(
      [one](const Do<int>& inner) { return validate2(parallel(one), parallel(inner)).map(sum); });
}

TEST_CASE("a million rounds of tailRecM, with and without resources") {
  CountedInstances counting;
  const auto round = [&counting](int i) {
    return counting.make().map(
        [i](int) { return i < depth ? Step<int, int>::next(i + 1) : Step<int, int>::done(i); });
  };
  CHECK(tailRecM(1, round).blockingAwait() == depth);
  CHECK(counting.mostOpen == depth);
  CHECK(counting.open == 0);
  CountedInstances scopes;
  CHECK_NOTHROW(repeat(scopes.make(), depth).blockingAwait());
  CHECK(scopes.mostOpen == 1);
  CHECK(scopes.released == depth);
}

TEST_CASE("a million rounds of repeatUntil") {
  CountedInstances scopes;
  const auto until = repeatUntil(scopes.make().map([&scopes](int) { return scopes.released; }),
                                 [](int released) { return released == depth; });
  CHECK(until.blockingAwait() == depth);
  CHECK(scopes.mostOpen == 1);
}

TEST_CASE("tailRecM within tailRecM, a million deep") {
  using Next = Step<Unit, int>;
  run([](const Do<int>& inner) {
    return tailRecM(Unit{}, [inner](Unit) { return inner.map([](int x) { return Next::done(x); }); });
  });
}

TEST_CASE("a million finalizers of Do") {
  int finalized = 0;
  const auto finalizer = Do<void>::delay([&finalized] { ++finalized; });
  cancelAtTheBottom([&finalizer](const Do<int>& inner) { return ensure(inner, finalizer); });
  CHECK(finalized == depth);
}

TEST_CASE("a million memoized programs, one within the other") {
  cancelAtTheBottom([](const Do<int>& inner) { return memoize(inner).map([](int x) { return x + 1; }); });
}

TEST_CASE("on, a million deep") {
  run([](const Do<int>& inner) { return on(Executor::inlined(), inner); });
}

TEST_CASE("a million cancellableResources, each the acquire of the next") {
  int released = 0;
  run([&released](const Do<int>& inner) {
    return cancellableResource(inner, [&released](int) { ++released; });
  });
  CHECK(released == depth);
}

TEST_CASE("a million scoped values that are closed by programs, one within the other") {
  int closed = 0;
  const auto close = [&closed](int) { return Do<void>::delay([&closed] { ++closed; }); };
  run([&close](const Do<int>& inner) {
    return scoped([] { return 1; }, close).flatMap([inner](const auto&) { return inner; });
  });
  CHECK(closed == depth);
}
