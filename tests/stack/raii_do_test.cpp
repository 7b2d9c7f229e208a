#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>

#include "support/programs/nested_do.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::CountedInstances;
using test::depth;
using test::nested;
using test::stopping;
using test::sum;
using test::Wrap;

namespace {

/// Acquires one within the other, n deep.
Do<int> acquired(const Do<int>& resource, int n) {
  return resource.flatMap(
      [resource, n](int x) { return n == 1 ? Do<int>::now(x) : acquired(resource, n - 1); });
}

/// Holds a resource while the inner program runs.
Wrap holding(CountedInstances& counting) {
  return
      [&counting](const Do<int>& inner) { return counting.make().flatMap([inner](int) { return inner; }); };
}

void checkAll(const CountedInstances& counting) {
  CHECK(counting.open == 0);
  CHECK(counting.mostOpen == depth);
  CHECK(counting.released == depth);
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
  const auto program = nested(
      [one](const Do<int>& before) {
        return before.flatMap([one](int x) { return one.map([x](int y) { return x + y; }); });
      },
      Do<int>::now(0));
  CHECK(program.blockingAwait() == depth);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, cancelled at the end") {
  CountedInstances counting;
  const StopSource source;
  const auto program = nested(holding(counting), stopping(source));
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, that fail at the end") {
  CountedInstances counting;
  const auto program = nested(holding(counting), Do<int>::raiseError(std::runtime_error("end")));
  CHECK_THROWS_AS(program.blockingAwait(), std::runtime_error);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, that are never run") {
  CountedInstances counting;
  { const auto dropped = nested(holding(counting)); }
  CHECK(counting.mostOpen == 0);
}

TEST_CASE("a million scopes, one within the other") {
  CountedInstances counting;
  const auto program = nested([hold = holding(counting)](const Do<int>& inner) { return hold(inner).run(); });
  CHECK(program.blockingAwait() == 1);
  checkAll(counting);
}

TEST_CASE("a million handleErrors, for a value and for an error") {
  const auto over = [](const Do<int>& inner) {
    return inner.handleError([](const std::exception_ptr& error) { return Do<int>::raiseError(error); });
  };
  CHECK(nested(over).blockingAwait() == 1);
  CHECK_THROWS_AS(nested(over, Do<int>::raiseError(std::runtime_error("no"))).blockingAwait(),
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
  const auto program =
      nested([](const Do<int>& inner) { return inner.map([](int x) { return x + 1; }); }, Do<int>::now(0));
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
  const auto over = [&live](const Do<int>& inner) {
    return scoped([&live] { return Living(&live); }).flatMap([inner](const auto&) { return inner; });
  };
  const auto program = nested(over, Do<int>::delay([&live] { return live; }));
  CHECK(program.blockingAwait() == depth);
  CHECK(live == 0);
}

TEST_CASE("a million tuples of Do in sequence, nested to the left") {
  const auto one = Do<int>::now(1);
  const auto program = nested([&](const Do<int>& inner) { return tuple2(inner, one).map(sum); });
  CHECK(program.blockingAwait() == depth + 1);
}

TEST_CASE("a million tuples of Do in sequence, nested to the right") {
  const auto one = Do<int>::now(1);
  const auto program = nested([&](const Do<int>& inner) { return tuple2(one, inner).map(sum); });
  CHECK(program.blockingAwait() == depth + 1);
}

TEST_CASE("a million operations of each kind that are never run") {
  const auto one = Do<int>::now(1);
  const auto drop = [](const Wrap& wrap) { static_cast<void>(nested(wrap).unwrap()); };
  drop([](const Do<int>& inner) { return inner.map([](int x) { return x + 1; }); });
  drop([](const Do<int>& inner) { return inner.handleError([](const auto&) { return Do<int>::now(1); }); });
  drop([](const Do<int>& inner) { return inner.run(); });
  drop([&](const Do<int>& inner) { return tuple2(inner, one).map(sum); });
  drop([](const Do<int>& inner) {
    return scoped([] { return 1; }).flatMap([inner](const auto&) { return inner; });
  });
}
