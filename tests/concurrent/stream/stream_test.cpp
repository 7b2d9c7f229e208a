#include "tapestry/concurrent/stream/stream.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/error_of_run.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::errorOfRun;
using testing::cancelAtEveryStep;
using testing::Scheduler;

namespace {

using Numbers = std::vector<int>;
using Texts = std::vector<std::string>;

Stream<int> countTo(int count) { return Stream<int>::from(std::views::iota(0, count)); }

Numbers itemsOf(const Stream<int>& stream) { return stream.toVector().blockingAwait(); }

/// Notes what streams acquire and release.
struct Log {
  Texts lines;

  /// A stream of the items that holds a resource with this name.
  Stream<int> holding(const std::string& name, Numbers items) {
    const auto held = resource(Do<int>::delay([this, name] {
                                 lines.push_back("+" + name);
                                 return 0;
                               }),
                               [this, name](int) { lines.push_back("-" + name); });
    return Stream<int>::from(held).flatMap(
        [items = std::move(items)](int) { return Stream<int>::of(items); });
  }
  int balance() const {
    int sum = 0;
    for (const auto& line : lines) sum += line[0] == '+' ? 1 : -1;
    return sum;
  }
};

}  // namespace

TEST_CASE("map, filter, scan, take, takeWhile, drop, dropWhile and concat") {
  CHECK(itemsOf(countTo(3).map([](int n) { return n * 10; })) == Numbers{0, 10, 20});
  CHECK(countTo(2).map([](int n) { return std::to_string(n); }).toVector().blockingAwait() ==
        Texts{"0", "1"});
  CHECK(itemsOf(countTo(10).filter([](int n) { return n % 3 == 0; })) == Numbers{0, 3, 6, 9});
  CHECK(itemsOf(countTo(4).scan(10, [](int state, int n) { return state + n; })) == Numbers{10, 11, 13, 16});
  CHECK(itemsOf(countTo(5).take(2)) == Numbers{0, 1});
  CHECK(itemsOf(countTo(5).take(0)).empty());
  CHECK(itemsOf(countTo(2).take(9)) == Numbers{0, 1});
  CHECK(itemsOf(countTo(9).takeWhile([](int n) { return n < 3; })) == Numbers{0, 1, 2});
  CHECK(itemsOf(countTo(5).drop(3)) == Numbers{3, 4});
  CHECK(itemsOf(countTo(5).drop(9)).empty());
  CHECK(itemsOf(countTo(6).dropWhile([](int n) { return n < 3 || n == 5; })) == Numbers{3, 4, 5});
  CHECK(itemsOf(countTo(2).concat(countTo(2))) == Numbers{0, 1, 0, 1});
  const Texts words{"a", "bb", "c", "dd"};
  CHECK(Stream<std::string>::of(words)
            .filter([](const std::string& s) { return s.size() == 2; })
            .toVector()
            .blockingAwait() == Texts{"bb", "dd"});
}

TEST_CASE("chunk gives groups of a size, over the borders of the source's chunks") {
  const auto groups = countTo(2'500).chunk(1'000).toVector().blockingAwait();
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].size() == 1'000);
  CHECK(groups[1].front() == 1'000);
  CHECK(groups[2].size() == 500);
  CHECK(countTo(4).chunk(2).toVector().blockingAwait() == std::vector<Numbers>{{0, 1}, {2, 3}});
  CHECK_THROWS_WITH_AS(static_cast<void>(countTo(1).chunk(0)),
                       "tapestry::Stream::chunk: the size is 0, expected at least 1", std::invalid_argument);
}

TEST_CASE("an error of the source comes after the last group of chunk") {
  const auto groupsBefore = [](const Stream<int>& items) {
    std::vector<Numbers> seen;
    const auto failing = items.concat(Stream<int>::raiseError("broken")).chunk(3);
    const auto noting = failing.forEach([&](const Numbers& group) { seen.push_back(group); });
    CHECK(errorOfRun(noting) == "broken");
    return seen;
  };
  CHECK(groupsBefore(countTo(5)) == std::vector<Numbers>{{0, 1, 2}, {3, 4}});
  CHECK(groupsBefore(countTo(3)) == std::vector<Numbers>{{0, 1, 2}});
  CHECK(groupsBefore(Stream<int>::empty()).empty());
}

TEST_CASE("zip and interleave end with the shorter stream") {
  using Zipped = std::vector<std::pair<int, int>>;
  CHECK(countTo(3).zip(countTo(9).drop(5)).toVector().blockingAwait() == Zipped{{0, 5}, {1, 6}, {2, 7}});
  CHECK(countTo(9).zip(countTo(1)).toVector().blockingAwait() == Zipped{{0, 0}});
  CHECK(countTo(5'000).zip(countTo(3'000)).toVector().blockingAwait().size() == 3'000);
  CHECK(itemsOf(countTo(2).interleave(countTo(9).drop(7))) == Numbers{0, 7, 1, 8});
}

TEST_CASE("a function that throws ends the stream after the items before") {
  const auto throwsAt3 = [](int n) {
    if (n == 3) throw std::runtime_error("three");
    return n;
  };
  const auto seenOf = [](const Stream<int>& stream) {
    Numbers seen;
    CHECK(errorOfRun(stream.forEach([&](int n) { seen.push_back(n); })) == "three");
    return seen;
  };
  const Numbers before{0, 1, 2};
  CHECK(seenOf(countTo(9).map(throwsAt3)) == before);
  CHECK(seenOf(countTo(9).map([&](int n) { return static_cast<long>(throwsAt3(n)); }).map([](long n) {
          return static_cast<int>(n);
        })) == before);
  CHECK(seenOf(countTo(9).filter([&](int n) { return throwsAt3(n) >= 0; })) == before);
  CHECK(seenOf(countTo(9).takeWhile([&](int n) { return throwsAt3(n) >= 0; })) == before);
  CHECK(seenOf(countTo(9).scan(0, [&](int, int n) { return throwsAt3(n); })) == before);
  CHECK(seenOf(countTo(9).mapDo([&](int n) { return Do<int>::delay([=] { return throwsAt3(n); }); })) ==
        before);
  CHECK(seenOf(countTo(9).flatMap([&](int n) { return Stream<int>::of({throwsAt3(n)}); })) == before);
  CHECK(seenOf(countTo(9).parMap(1, [&](int n) { return Do<int>::delay([=] { return throwsAt3(n); }); })) ==
        before);
  CHECK(seenOf(countTo(9).map(throwsAt3).buffer(2)) == before);
}

TEST_CASE("nothing runs before a consumer asks, and take asks for no more") {
  int runs = 0;
  const auto counted =
      countTo(100).mapDo([&](int n) { return Do<int>::delay([&runs, n] { return ++runs, n; }); });
  CHECK(runs == 0);
  CHECK(itemsOf(counted.take(3)) == Numbers{0, 1, 2});
  CHECK(runs == 3);
}

TEST_CASE("flatMap releases what an inner stream holds before the next begins") {
  Log log;
  const auto stream = countTo(2).flatMap([&](int n) { return log.holding(std::to_string(n), {n, n}); });
  CHECK(itemsOf(stream) == Numbers{0, 0, 1, 1});
  CHECK(log.lines == Texts{"+0", "-0", "+1", "-1"});
}

TEST_CASE("a consumer that has enough releases the stages in the reverse order") {
  Log log;
  const auto outer = log.holding("outer", {1, 2, 3});
  const auto stream = outer.flatMap([&](int n) { return log.holding("inner", {n, n}); });
  CHECK(itemsOf(stream.take(1)) == Numbers{1});
  CHECK(log.lines == Texts{"+outer", "+inner", "-inner", "-outer"});
}

TEST_CASE("a stage's resources are released when a later stage fails") {
  Log log;
  const auto failing = log.holding("a", {1, 2, 3}).map([](int n) {
    if (n == 2) throw std::runtime_error("two");
    return n;
  });
  CHECK(errorOfRun(failing.toVector()) == "two");
  CHECK(log.lines == Texts{"+a", "-a"});
}

TEST_CASE("errors of releases within flatMap fail the stream") {
  const auto badRelease = resource(Do<int>::now(1), [](int) { throw std::runtime_error("release"); });
  const auto stream = countTo(2).flatMap([&](int) { return Stream<int>::from(badRelease); });
  CHECK(errorOfRun(stream.toVector()).find("release") != std::string::npos);
}

TEST_CASE("all is released at any step at which a consumer is stopped") {
  for (std::uint64_t seed = 0; seed != 4; ++seed) {
    Log log;
    const auto make = [&] {
      log.lines.clear();
      const auto sleepy = log.holding("outer", {1, 2, 3}).flatMap([&](int n) {
        return log.holding("inner", {n, n});
      });
      const auto mapped = sleepy.mapDo([](int n) {
        return Do<void>::lift(sleepFor(std::chrono::milliseconds(1))).map([n] { return n; });
      });
      return mapped.buffer(2)
          .parMap(2, [](int n) { return Do<int>::now(n); })
          .merge(log.holding("other", {7}))
          .fold(0, [](int sum, int n) { return sum + n; });
    };
    const auto check = [&](const Outcome<int>& outcome, std::size_t) {
      CHECK(log.balance() == 0);
      if (outcome.hasValue()) CHECK(outcome.get() == 19);
      CHECK_FALSE(outcome.hasError());
    };
    CHECK(cancelAtEveryStep(make, check, seed) > 20);
  }
}

TEST_CASE("ten million items go through ten stages in constant memory") {
  const int count = test::million == 1'000'000 ? 10'000'000 : 100'000;
  const auto heap = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  std::size_t early = 0, late = 0;
  const auto stream =
      countTo(count)
          .map([](int n) { return n + 1; })
          .filter([](int n) { return n > 0; })
          .map([](int n) { return static_cast<long>(n); })
          .scan(0L, [](long, long n) { return n; })
          .takeWhile([](long n) { return n >= 0; })
          .drop(1)
          .dropWhile([](long n) { return n < 3; })
          .take(1'000'000'000)
          .chunk(100)
          .flatMap([](std::vector<long> group) { return Stream<long>::of(std::move(group)); });
  const long expected = static_cast<long>(count) * (count + 1L) / 2 - 1 - 2;
  const auto sumUp = [&](long sum, long n) {
    if (n == 50'000) early = heap();
    if (n == count) late = heap();
    return sum + n;
  };
  CHECK(stream.fold(0L, sumUp).blockingAwait() == expected);
  if (test::underAddressSanitizer || test::underThreadSanitizer) return;  // a sanitizer's heap is its own
  CHECK(late < early + 64 * 1024);
}

TEST_CASE("a stream that filters all of its items, however many, needs no stack") {
  CHECK(itemsOf(Stream<int>::repeat(Do<int>::now(1)).take(test::million).filter([](int) {
          return false;
        })).empty());
}
