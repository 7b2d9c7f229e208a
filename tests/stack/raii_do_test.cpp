#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "tapestry/raii.hpp"

using namespace tapestry;

namespace {

constexpr int depth = 1'000'000;

/// A resource that counts.
struct Counting {
  int open = 0;
  int released = 0;
  int mostOpen = 0;

  Do<int> make() {
    return resource(Do<int>::delay([this] {
                      mostOpen = std::max(mostOpen, ++open);
                      return 1;
                    }),
                    [this](int) {
                      --open;
                      ++released;
                    });
  }
};

/// Acquires one within the other, n deep.
Do<int> nested(const Do<int>& resource, int n) {
  return resource.flatMap(
      [resource, n](int x) { return n == 1 ? Do<int>::now(x) : nested(resource, n - 1); });
}

/// A long chain of steps, each made by `step` of the one before.
template <class A>
Do<A> chained(Do<A> program, const std::function<Do<A>(const Do<A>&)>& step, int n = depth) {
  for (int i = 0; i < n; ++i) program = step(program);
  return program;
}

void checkAll(const Counting& counting, int runs = 1) {
  CHECK(counting.open == 0);
  CHECK(counting.mostOpen == depth);
  CHECK(counting.released == runs * depth);
}

}  // namespace

TEST_CASE("a million flatMaps, each with a resource, nested to the right") {
  Counting counting;
  CHECK(nested(counting.make(), depth).blockingAwait() == 1);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, nested to the left") {
  Counting counting;
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
  Counting counting;
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
  Counting counting;
  const auto program = chained<int>(
      Do<int>::raiseError(std::runtime_error("end")),
      [&](const Do<int>& inner) { return counting.make().flatMap([inner](int) { return inner; }); });
  CHECK_THROWS_AS(program.blockingAwait(), std::runtime_error);
  checkAll(counting);
}

TEST_CASE("a million flatMaps, each with a resource, that are never run") {
  Counting counting;
  {
    const auto program = chained<int>(Do<int>::now(1), [&](const Do<int>& inner) {
      return counting.make().flatMap([inner](int) { return inner; });
    });
  }
  CHECK(counting.mostOpen == 0);
}

TEST_CASE("a million scopes, one within the other") {
  Counting counting;
  const auto program = chained<int>(Do<int>::now(1), [&](const Do<int>& inner) {
    return counting.make().flatMap([inner](int) { return inner; }).run();
  });
  CHECK(program.blockingAwait() == 1);
  checkAll(counting);
}

TEST_CASE("a million handleErrors, for values and for errors") {
  const auto rethrow = [](const std::exception_ptr& error) { return Do<int>::raiseError(error); };
  const auto over = [rethrow](const Do<int>& inner) { return inner.handleError(rethrow); };
  CHECK(chained<int>(Do<int>::now(1), over).blockingAwait() == 1);
  CHECK_THROWS_AS(chained<int>(Do<int>::raiseError(std::runtime_error("no")), over).blockingAwait(),
                  std::runtime_error);
  { const auto dropped = chained<int>(Do<int>::now(1), over); }
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

TEST_CASE("a million maps") {
  const auto increment = [](const Do<int>& inner) { return inner.map([](int x) { return x + 1; }); };
  CHECK(chained<int>(Do<int>::now(0), increment).blockingAwait() == depth);
  { const auto dropped = chained<int>(Do<int>::now(0), increment); }
}

TEST_CASE("a million scoped values, one within the other, run and never run") {
  int live = 0;
  struct Living {
    explicit Living(int* to) : count(to) { ++*count; }
    Living(Living&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    ~Living() {
      if (count) --*count;
    }
    int* count;
  };
  const auto within = [&live](const Do<int>& inner) {
    return scoped([&live] { return Living(&live); }).flatMap([inner](const auto&) { return inner; });
  };
  const auto program = chained<int>(Do<int>::delay([&live] { return live; }), within);
  CHECK(program.blockingAwait() == depth);
  CHECK(live == 0);
  { const auto dropped = chained<int>(Do<int>::now(1), within); }
}

TEST_CASE("a million tuples in sequence, nested to the left and to the right") {
  const auto one = Do<int>::now(1);
  const auto sum = [](const std::tuple<int, int>& both) { return std::get<0>(both) + std::get<1>(both); };
  const auto left = [=](const Do<int>& inner) { return tuple2(inner, one).map(sum); };
  const auto right = [=](const Do<int>& inner) { return tuple2(one, inner).map(sum); };
  CHECK(chained<int>(one, left).blockingAwait() == depth + 1);
  CHECK(chained<int>(one, right).blockingAwait() == depth + 1);
  { const auto dropped = chained<int>(one, left); }
}
