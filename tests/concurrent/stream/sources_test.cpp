#include "tapestry/concurrent/stream/sources.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/error_of_run.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"

using namespace tapestry;
using test::errorOfRun;

namespace {

using Numbers = std::vector<int>;

/// A step that makes of the state n the item n and the state n + 1, until the limit.
auto stepsUpTo(int limit, int* calls = nullptr) {
  return [=](const int& n) -> std::optional<std::pair<int, int>> {
    if (calls) ++*calls;
    if (n == limit) return std::nullopt;
    return std::pair(n, n + 1);
  };
}

}  // namespace

TEST_CASE("a stream of a range begins afresh for each consumer") {
  const auto numbers = Stream<int>::from(std::views::iota(1, 4));
  CHECK(numbers.toVector().blockingAwait() == Numbers{1, 2, 3});
  CHECK(numbers.toVector().blockingAwait() == Numbers{1, 2, 3});
  CHECK(Stream<int>::empty().toVector().blockingAwait().empty());
  CHECK(Stream<std::string>::of({"a", "b"}).toVector().blockingAwait() == std::vector<std::string>{"a", "b"});
  CHECK(Stream<bool>::of({true, false}).toVector().blockingAwait() == std::vector<bool>{true, false});
}

TEST_CASE("a range is given whole, in order, however many chunks it takes") {
  const auto items = Stream<long>::from(std::views::iota(0, 10'000)).toVector().blockingAwait();
  REQUIRE(items.size() == 10'000);
  for (long i = 0; i != 10'000; ++i) REQUIRE(items[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a range that can be read once is made for each consumer") {
  const auto words = Stream<std::string>::fromMade([] {
    struct Words {
      std::unique_ptr<std::istringstream> text = std::make_unique<std::istringstream>("to be or");
      auto begin() const { return std::istream_iterator<std::string>(*text); }
      auto end() const { return std::istream_iterator<std::string>(); }
    };
    return Words();
  });
  const std::vector<std::string> expected{"to", "be", "or"};
  CHECK(words.toVector().blockingAwait() == expected);
  CHECK(words.toVector().blockingAwait() == expected);
}

TEST_CASE("items before an exception of a range come before it") {
  const auto failing = std::views::iota(0, 10) | std::views::transform([](int n) {
                         if (n == 3) throw std::runtime_error("three");
                         return n;
                       });
  Numbers seen;
  const auto program = Stream<int>::from(failing).forEach([&seen](int n) { seen.push_back(n); });
  CHECK(errorOfRun(program) == "three");
  CHECK(seen == Numbers{0, 1, 2});
}

TEST_CASE("a stream of a program holds what that has acquired until the consumer ends") {
  std::vector<std::string> log;
  const auto acquired = resource(Do<int>::delay([&] {
                                   log.push_back("acquire");
                                   return 1;
                                 }),
                                 [&](int) { log.push_back("release"); });
  const auto program = Stream<int>::from(acquired).forEach([&](int n) { log.push_back(std::to_string(n)); });
  CHECK(log.empty());
  program.map([&] { log.push_back("ended"); }).blockingAwait();
  CHECK(log == std::vector<std::string>{"acquire", "1", "release", "ended"});
}

TEST_CASE("repeat runs the program once for each item that is asked for") {
  int runs = 0;
  int held = 0;
  const auto counted = resource(Do<int>::delay([&] { return ++held; }), [&](int) { --held; });
  const auto program = counted.map([&](int) {
    CHECK(held == 1);
    return ++runs;
  });
  CHECK(Stream<int>::repeat(program).take(3).toVector().blockingAwait() == Numbers{1, 2, 3});
  CHECK(runs == 3);
  CHECK(held == 0);
}

TEST_CASE("a stream of a channel takes no item that its consumer does not use") {
  const auto channel = Channel<int>::unbounded();
  for (int i = 0; i != 5; ++i) channel.trySend(i);
  const auto received = Stream<int>::from(channel);
  CHECK(received.take(2).toVector().blockingAwait() == Numbers{0, 1});
  CHECK(channel.size() == 3);
  channel.close();
  CHECK(received.toVector().blockingAwait() == Numbers{2, 3, 4});
  CHECK(received.toVector().blockingAwait().empty());
}

TEST_CASE("a stream of a channel that was closed with an error fails after the items before") {
  const auto channel = Channel<int>::unbounded();
  channel.trySend(1);
  channel.close(std::make_exception_ptr(std::runtime_error("lost")));
  Numbers seen;
  CHECK(errorOfRun(Stream<int>::from(channel, 8).forEach([&](int n) { seen.push_back(n); })) == "lost");
  CHECK(seen == Numbers{1});
  CHECK_THROWS_AS(static_cast<void>(Stream<int>::from(channel, 0)), std::invalid_argument);
}

TEST_CASE("unfold gives items until the step gives none, and requests few unused items") {
  CHECK(Stream<int>::unfold(0, stepsUpTo(3)).toVector().blockingAwait() == Numbers{0, 1, 2});
  CHECK(Stream<int>::unfold(0, stepsUpTo(5'000)).toVector().blockingAwait().size() == 5'000);
  int calls = 0;
  CHECK(Stream<int>::unfold(0, stepsUpTo(1'000'000, &calls)).take(3).toVector().blockingAwait() ==
        Numbers{0, 1, 2});
  CHECK(calls <= 8);
}

TEST_CASE("unfoldDo runs a program for each item that is asked for, and no more") {
  int runs = 0;
  const auto step = [&runs](const int& n) {
    return Do<std::optional<std::pair<int, int>>>::delay([&runs, n] { return ++runs, stepsUpTo(4)(n); });
  };
  CHECK(Stream<int>::unfoldDo(0, step).toVector().blockingAwait() == Numbers{0, 1, 2, 3});
  runs = 0;
  CHECK(Stream<int>::unfoldDo(0, step).take(2).toVector().blockingAwait() == Numbers{0, 1});
  CHECK(runs == 2);
}

TEST_CASE("a stream of an error fails with it") {
  CHECK(errorOfRun(Stream<int>::raiseError("no").toVector()) == "no");
}
