#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "support/programs/nested_do.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::CountedInstances;
using test::depth;
using test::sum;

namespace {

/// Acquires one within the other, n deep.
Do<int> acquired(const Do<int>& resource, int n) {
  return resource.flatMap(
      [resource, n](int x) { return n == 1 ? Do<int>::now(x) : acquired(resource, n - 1); });
}

/// A long chain of steps, each made by `step` of the one before.
template <class A>
Do<A> chained(Do<A> program, const std::function<Do<A>(const Do<A>&)>& step, int n = depth) {
  for (int i = 0; i < n; ++i) program = step(program);
  return program;
}

void checkAll(const CountedInstances& counting, int runs = 1) {
  CHECK(counting.open == 0);
  CHECK(counting.mostOpen == depth);
  CHECK(counting.released == runs * depth);
}

}  // namespace

TEST_CASE("a million flatMaps, each with a resource, nested to the right") {
  CountedInstances counting;
  CHECK(acquired(counting.make(), depth).blockingAwait() == 1);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, nested to the left") {
  CountedInstances counting;
  const auto one = counting.make();
  const auto program = chained<int>(
      one,
      [one](const Do<int>& before) {
        return before.flatMap([one](int x) { return one.map([x](int y) { return x + y; }); });
      },
      depth - 1);
  CHECK(program.blockingAwait() == depth);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, cancelled at the end") {
  CountedInstances counting;
  const StopSource source;
  const auto stopping = Do<int>::delay([source] {
    source.requestStop();
    return 1;
  });
  const auto program = chained<int>(
      stopping.flatMap([](int x) { return Do<int>::now(x); }),
      [&](const Do<int>& inner) { return counting.make().flatMap([inner](int) { return inner; }); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, that fail at the end") {
  CountedInstances counting;
  const auto program = chained<int>(
      Do<int>::raiseError(std::runtime_error("end")),
      [&](const Do<int>& inner) { return counting.make().flatMap([inner](int) { return inner; }); });
  CHECK_THROWS_AS(program.blockingAwait(), std::runtime_error);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, that are never run") {
  CountedInstances counting;
  {
    const auto program = chained<int>(Do<int>::now(1), [&](const Do<int>& inner) {
      return counting.make().flatMap([inner](int) { return inner; });
    });
  }
  CHECK(counting.mostOpen == 0);
}

TEST_CASE("a million scopes, one within the other") {
  CountedInstances counting;
  const auto program = chained<int>(Do<int>::now(1), [&](const Do<int>& inner) {
    return counting.make().flatMap([inner](int) { return inner; }).run();
  });
  CHECK(program.blockingAwait() == 1);
  checkAll(counting);
}

TEST_CASE("a million handleErrors, for a value and for an error") {
  const auto over = [](const Do<int>& inner) {
    return inner.handleError([](const std::exception_ptr& error) { return Do<int>::raiseError(error); });
  };
  CHECK(chained<int>(Do<int>::now(1), over).blockingAwait() == 1);
  CHECK_THROWS_AS(chained<int>(Do<int>::raiseError(std::runtime_error("no")), over).blockingAwait(),
                  std::runtime_error);
}

TEST_CASE("a million handlers, each of which fails into the next") {
  struct Next {
    static Do<int> failing(int left) {
      return Do<int>::raiseError(std::runtime_error("no")).handleError([left](const auto&) {
        return left == 0 ? Do<int>::now(3) : failing(left - 1);
      });
    }
  };
  CHECK(Next::failing(depth).blockingAwait() == 3);
}

TEST_CASE("a million maps of Do") {
  const auto program = chained<int>(
      Do<int>::now(0), [](const Do<int>& inner) { return inner.map([](int x) { return x + 1; }); });
  CHECK(program.blockingAwait() == depth);
}

TEST_CASE("a million scoped values, one within the other") {
  int live = 0;
  struct Living {
    explicit Living(int* to) : count(to) { ++*count; }
    Living(Living&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    ~Living() {
      if (count) --*count;
    }
    int* count;
  };
  const auto program = chained<int>(Do<int>::delay([&live] { return live; }), [&live](const Do<int>& inner) {
    return scoped([&live] { return Living(&live); }).flatMap([inner](const auto&) { return inner; });
  });
  CHECK(program.blockingAwait() == depth);
  CHECK(live == 0);
}

TEST_CASE("a million tuples of Do in sequence, nested to the left") {
  const auto one = Do<int>::now(1);
  const auto program = chained<int>(one, [&](const Do<int>& inner) { return tuple2(inner, one).map(sum); });
  CHECK(program.blockingAwait() == depth + 1);
}

TEST_CASE("a million tuples of Do in sequence, nested to the right") {
  const auto one = Do<int>::now(1);
  const auto program = chained<int>(one, [&](const Do<int>& inner) { return tuple2(one, inner).map(sum); });
  CHECK(program.blockingAwait() == depth + 1);
}

TEST_CASE("a million operations of each kind that are never run") {
  const auto one = Do<int>::now(1);
  const auto drop = [&](const std::function<Do<int>(const Do<int>&)>& step) {
    static_cast<void>(chained<int>(one, step).unwrap());
  };
  drop([](const Do<int>& inner) { return inner.map([](int x) { return x + 1; }); });
  drop([](const Do<int>& inner) { return inner.handleError([](const auto&) { return Do<int>::now(1); }); });
  drop([](const Do<int>& inner) { return inner.run(); });
  drop([&](const Do<int>& inner) { return tuple2(inner, one).map(sum); });
  drop([](const Do<int>& inner) {
    return scoped([] { return 1; }).flatMap([inner](const auto&) { return inner; });
  });
}
