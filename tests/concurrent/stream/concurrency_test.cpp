#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/error_of_run.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

namespace {

using Numbers = std::vector<int>;

Stream<int> upTo(int count) { return Stream<int>::from(std::views::iota(0, count)); }

Do<void> sleeping(std::chrono::milliseconds duration) { return Do<void>::lift(sleepFor(duration)); }

/// Each number, when as many milliseconds have passed since the one before as `gaps` says.
Stream<int> timed(std::vector<int> gaps) {
  return Stream<int>::of(std::move(gaps)).mapDo([](int gap) {
    return sleeping(std::chrono::milliseconds(gap)).map([gap] { return gap; });
  });
}

/// Counts how often objects of it are moved.
struct CountsMoves {
  static inline int moves = 0;

  CountsMoves() = default;
  CountsMoves(CountsMoves&&) noexcept { ++moves; }
  CountsMoves& operator=(CountsMoves&&) noexcept {
    ++moves;
    return *this;
  }
  ~CountsMoves() = default;
};

Numbers itemsOf(int count) {
  Numbers items;
  for (int i = 0; i != count; ++i) items.push_back(i);
  return items;
}

Numbers runOf(const Stream<int>& stream, std::uint64_t seed = 0) {
  return Scheduler(seed).run(stream.toVector()).get();
}

}  // namespace

TEST_CASE("a parMap whose executor stops before a program begins ends") {
  const auto same = [](int x) { return Do<int>::now(x); };
  for (const bool isOrdered : {true, false}) {
    test::QueueExecutor executor;
    test::Delivery<std::vector<int>> delivery;
    const auto numbers = Stream<int>::of({1, 2, 3}).map([&](int x) { return executor.stop(), x; });
    const auto program = (isOrdered ? numbers.parMap(2, same) : numbers.parMapUnordered(2, same)).toVector();
    program.onComplete(delivery.callback(), executor);
    executor.work();
    REQUIRE(delivery.count() == 1);
    CHECK_FALSE(delivery.outcome().hasValue());
  }
}

TEST_CASE("parMap keeps to its limit of programs, and gives the results in the order of the items") {
  for (std::uint64_t seed = 0; seed != 8; ++seed) {
    int running = 0;
    int most = 0;
    const auto program = [&](int n) {
      return Do<void>::delay([&] { most = std::max(most, ++running); })
          .flatMap([n] { return sleeping(std::chrono::milliseconds(n % 3)); })
          .map([&running, n] { return --running, n; });
    };
    CHECK(runOf(upTo(20).parMap(3, program), seed) == itemsOf(20));
    CHECK(most == 3);
  }
  CHECK_THROWS_AS(static_cast<void>(upTo(1).parMap(0, [](int n) { return Do<int>::now(n); })),
                  std::invalid_argument);
}

TEST_CASE("parMapUnordered gives results as they come") {
  const auto program = [](int n) {
    return sleeping(std::chrono::milliseconds(10 - n)).map([n] { return n; });
  };
  CHECK(runOf(upTo(3).parMapUnordered(3, program)) == Numbers{2, 1, 0});
}

TEST_CASE("an error of a program of parMap comes after the items before, and cancels the others") {
  bool cancelled = true;
  const auto program = [&](int n) {
    if (n == 1) return Do<int>::raiseError("one");
    if (n == 2) return sleeping(1000ms).map([&] { return cancelled = false, 2; });
    return Do<int>::now(n);
  };
  Numbers seen;
  Scheduler scheduler;
  const auto outcome = scheduler.run(upTo(3).parMap(3, program).forEach([&](int n) { seen.push_back(n); }));
  REQUIRE(outcome.hasError());
  CHECK(seen == Numbers{0});
  CHECK(cancelled);
}

TEST_CASE("a program of parMap that throws Cancelled ends the stream as one of mapDo does") {
  const auto program = [](int n) {
    return Do<int>::delay([n]() -> int {
      if (n == 1) throw Cancelled();
      return n;
    });
  };
  for (const auto& stream :
       {upTo(5).mapDo(program), upTo(5).parMap(1, program), upTo(5).parMapUnordered(1, program)}) {
    Scheduler scheduler;
    CHECK(errorAs<Cancelled>(scheduler.run(stream.toVector().attempt()).get().error()) != nullptr);
  }
}

namespace {

/// Checks stages that run ahead of a stream that cancels itself.
void checkFailWithTaskCancelled(const Stream<int>& cancelling) {
  const std::vector<std::pair<std::string, Stream<int>>> streams{
      {"buffer", cancelling.buffer(4)},
      {"merge", cancelling.merge(upTo(2))},
      {"chunk", cancelling.chunk(2, 1s).map([](const Numbers& items) { return items.front(); })},
      {"debounce", cancelling.debounce(1s)},
      {"parMap", cancelling.parMap(2, [](int item) { return Do<int>::now(item); })}};
  for (const auto& [name, stream] : streams) {
    CAPTURE(name);
    CHECK(test::outcomeText(Scheduler(0).run(stream.toVector())) == TaskCancelled().what());
  }
  const auto both = cancelling.broadcast([](const Stream<int>& items) { return items.toVector(); },
                                         [](const Stream<int>& items) { return items.toVector(); });
  CHECK(test::outcomeText(Scheduler(0).run(both)) == TaskCancelled().what());
}

}  // namespace

TEST_CASE("a stream that runs ahead ends when the stream before it cancels itself") {
  checkFailWithTaskCancelled(Stream<int>::of(Numbers{0, 1, 2}).mapDo([](int item) {
    return direct<Do>([item] {
      if (item == 1) throw Cancelled();
      return item;
    });
  }));
}

TEST_CASE("a stream that runs ahead fails with TaskCancelled if a function before it throws Cancelled") {
  checkFailWithTaskCancelled(Stream<int>::of(Numbers{0, 1, 2}).map([](int item) {
    if (item == 1) throw Cancelled();
    return item;
  }));
}

TEST_CASE("a stream that runs ahead ends when the executor refuses to run it") {
  using Toward = Do<Numbers> (*)(const Stream<int>&);
  const std::vector<std::pair<std::string, Toward>> consumers{
      {"buffer", [](const Stream<int>& items) { return items.buffer(2).toVector(); }},
      {"merge", [](const Stream<int>& items) { return items.merge(items).toVector(); }},
      {"debounce", [](const Stream<int>& items) { return items.debounce(1ms).toVector(); }},
      {"parMap",
       [](const Stream<int>& items) {
         return items.parMap(2, [](int item) { return Do<int>::now(item); }).toVector();
       }},
      {"broadcast", [](const Stream<int>& items) {
         return items.broadcast([](const Stream<int>& same) { return same.toVector(); })
             .map([](const auto& all) { return std::get<0>(all); });
       }}};
  for (const auto& [name, consume] : consumers) {
    CAPTURE(name);
    test::QueueExecutor executor;
    test::Delivery<Numbers> delivery;
    Do<void>::delay([&executor] {
      executor.stop();
    }).flatMap([consume] {
        return consume(upTo(3));
      }).onComplete(delivery.callback(), executor);
    executor.work();
    CHECK(delivery.count() == 1);
  }
}

TEST_CASE("buffer runs ahead of the consumer by at most its number of items") {
  int made = 0;
  const auto stream =
      upTo(100).mapDo([&](int n) { return Do<int>::delay([&made, n] { return ++made, n; }); }).buffer(4);
  Scheduler scheduler;
  const auto outcome = scheduler.run(stream.forEach(
      [&](int n) { return sleeping(5ms).map([&made, n] { CHECK(made <= n + 1 + 4 + 4 + 1); }); }));
  CHECK(outcome.hasValue());
  CHECK(made == 100);
}

TEST_CASE("a limit and a count may be larger than any number of items") {
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  const auto program = [](int n) { return Do<int>::now(n); };
  CHECK(runOf(upTo(3).parMap(most, program)) == itemsOf(3));
  CHECK(runOf(upTo(3).parMapUnordered(most, program)).size() == 3);
  CHECK(runOf(upTo(3).buffer(most)) == itemsOf(3));
  CHECK(runOf(upTo(3).buffer(most / 2 + 1)) == itemsOf(3));
}

TEST_CASE("merge gives the items of both as they come, and fails with the first error") {
  for (std::uint64_t seed = 0; seed != 4; ++seed) {
    CHECK(runOf(timed({1, 4, 4}).merge(timed({3, 4})), seed) == Numbers{1, 3, 4, 4, 4});
    Scheduler scheduler(seed);
    const auto failing =
        timed({1, 1}).merge(timed({5}).concat(Stream<int>::raiseError("no"))).merge(timed({900}));
    Numbers seen;
    const auto outcome = scheduler.run(failing.forEach([&](int n) { seen.push_back(n); }));
    CHECK(test::outcomeText(outcome) == "no");
    CHECK(seen == Numbers{1, 1, 5});
  }
}

TEST_CASE("chunk with a window gives what has come when the window of its first item ends") {
  const auto groups = timed({1, 1, 10, 1, 1, 1}).chunk(3, 5ms);
  CHECK(Scheduler().run(groups.toVector()).get() == std::vector<Numbers>{{1, 1}, {10, 1, 1}, {1}});
  CHECK_THROWS_WITH_AS(static_cast<void>(upTo(1).chunk(1, -1ns)),
                       "tapestry::Stream::chunk: the window is -1 ns, expected at least 0",
                       std::invalid_argument);
}

TEST_CASE("debounce gives the last item before each quiet time") {
  CHECK(runOf(timed({1, 2, 9, 3, 8}).debounce(5ms)) == Numbers{2, 3, 8});
  CHECK(runOf(Stream<int>::empty().debounce(5ms)).empty());
}

TEST_CASE("chunk with a window, and debounce, give what they hold at once when the stream fails") {
  const auto failing = upTo(2).concat(Stream<int>::raiseError("broken"));
  const auto cancelled =
      upTo(2).concat(Stream<int>::from(Do<int>::delay([]() -> int { throw Cancelled(); })));
  for (const auto& stream : {failing, cancelled}) {
    std::vector<Numbers> groups;
    Scheduler ofChunk;
    const Clock::TimePoint begin = ofChunk.clock().now();
    const auto grouped = ofChunk.run(
        stream.chunk(3, 1h).forEach([&](const Numbers& group) { groups.push_back(group); }).attempt());
    CHECK(grouped.get().error() != nullptr);
    CHECK(groups == std::vector<Numbers>{{0, 1}});
    CHECK(ofChunk.clock().now() == begin);

    Numbers seen;
    Scheduler ofDebounce;
    const auto debounced =
        ofDebounce.run(stream.debounce(1h).forEach([&](int n) { seen.push_back(n); }).attempt());
    CHECK(debounced.get().error() != nullptr);
    CHECK(seen == Numbers{1});
    CHECK(ofDebounce.clock().now() == begin);
  }
  CHECK(test::outcomeText(Scheduler().run(failing.chunk(3, 1h).toVector())) == "broken");
  CHECK(test::outcomeText(Scheduler().run(failing.debounce(1h).toVector())) == "broken");
}

TEST_CASE("chunk with a window moves an item a few times, however many groups there are") {
  const auto items = upTo(2'000).map([](int) { return CountsMoves(); });
  CountsMoves::moves = 0;
  const auto count = [](int groups, const std::vector<CountsMoves>&) { return groups + 1; };
  CHECK(Scheduler().run(items.chunk(2, 1h).fold(0, count)).get() == 1'000);
  CHECK(CountsMoves::moves < 2'000 * 20);
}

TEST_CASE("chunk moves an item a few times, also into a group of many chunks") {
  const auto single = Do<CountsMoves>::delay([] { return CountsMoves(); });
  const auto group = Stream<CountsMoves>::repeat(single).take(2'000).chunk(2'000);
  CountsMoves::moves = 0;
  CHECK(Scheduler().run(group.toVector()).get().front().size() == 2'000);
  CHECK(CountsMoves::moves < 2'000 * 20);
}

TEST_CASE("throttle gives items at least the interval apart") {
  Scheduler scheduler;
  std::vector<Clock::TimePoint> times;
  const auto noting = upTo(4).throttle(10ms).forEach([&](int) { times.push_back(scheduler.clock().now()); });
  CHECK(scheduler.run(noting).hasValue());
  REQUIRE(times.size() == 4);
  for (std::size_t i = 1; i != 4; ++i) CHECK(times[i] - times[i - 1] == 10ms);
}

TEST_CASE("timeout fails where the next item is late") {
  CHECK(runOf(timed({1, 4, 4}).timeout(5ms)) == Numbers{1, 4, 4});
  Scheduler scheduler;
  CHECK(errorAs<TimeoutError>(scheduler.run(timed({1, 6}).timeout(5ms).toVector().attempt()).get().error()));
}

TEST_CASE("retry begins the stream again, after what it held has been released") {
  int opened = 0;
  int held = 0;
  const auto source = resource(Do<int>::delay([&] {
                                 CHECK(held == 0);
                                 ++held;
                                 return ++opened;
                               }),
                               [&](int) { --held; });
  const auto stream = Stream<int>::from(source).flatMap([](int n) {
    return n < 3 ? Stream<int>::of({n}).concat(Stream<int>::raiseError("again")) : Stream<int>::of({n, n});
  });
  CHECK(runOf(stream.retry({.attempts = 3, .delay = 10ms})) == Numbers{1, 2, 3, 3});
  CHECK(held == 0);
  opened = 0;
  Scheduler scheduler;
  CHECK(test::outcomeText(scheduler.run(stream.retry({.attempts = 2, .delay = 10ms}).toVector())) == "again");
  CHECK(held == 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(stream.retry({.attempts = 0})),
                       "tapestry::Stream::retry: got 0 attempts, expected at least 1", std::invalid_argument);
}

TEST_CASE("retry fails with the error of the attempt, too, when a release of the attempt fails") {
  const auto source = resource(Do<int>::now(1), [](int) { throw std::runtime_error("release"); });
  const auto stream =
      Stream<int>::from(source).flatMap([](int) { return Stream<int>::raiseError("attempt"); });
  Scheduler scheduler;
  const auto end = scheduler.run(stream.retry({.attempts = 2, .delay = 10ms}).toVector());
  REQUIRE(end.hasError());
  const auto* const both = errorAs<MultipleException>(end.error());
  REQUIRE(both);
  REQUIRE(both->errors().size() == 2);
  CHECK(test::errorText(both->errors()[0]) == "attempt");
  CHECK(test::errorText(both->errors()[1]) == "release");
  CHECK(scheduler.clock().now() == Clock::TimePoint());
}

TEST_CASE("a failing release of a stream that runs ahead fails a consumer that needs no more items, too") {
  const auto source = resource(Do<int>::now(1), [](int) { throw std::runtime_error("release"); });
  const auto slowly = [](int n) { return sleeping(1ms).map([n] { return n; }); };
  const auto items = Stream<int>::from(source);
  for (const auto& ahead : {items.buffer(4), items.merge(Stream<int>::empty()), items.parMap(2, slowly),
                            items.parMapUnordered(2, slowly), items.debounce(1ms)})
    CHECK(test::outcomeText(Scheduler().run(ahead.mapDo(slowly).take(1).toVector())) == "release");
  const auto one = [slowly](const Stream<int>& all) { return all.mapDo(slowly).take(1).toVector(); };
  CHECK(test::outcomeText(Scheduler().run(items.broadcast(one, one))) == "release");
}

TEST_CASE("stages that run ahead, on threads, give every item") {
  ThreadPool pool(2);
  const auto stream = upTo(10'000)
                          .buffer(16)
                          .parMap(4, [](int n) { return Do<int>::now(n + 1); })
                          .merge(upTo(10'000).buffer(3));
  const long sum = stream.fold(0L, [](long state, int n) { return state + n; }).blockingAwait(pool);
  CHECK(sum == 2 * (9'999L * 10'000 / 2) + 10'000);
}
