// parForEach of programs that cannot fail: what differs from parTraverse, whose tests hold the rest.
#include "tapestry/continuation/parallel/par_for_each.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Manual;

TEST_CASE("parForEach runs a program for each element and drops its value") {
  std::vector<int> seen;
  const auto program = parForEach(std::vector{3, 1, 2}, 1, [&](int i) {
    return delay([&seen, i] {
      seen.push_back(i);
      return Counted(i);
    });
  });
  static_assert(std::same_as<decltype(program)::ValueType, void>);
  for (int run = 0; run < 2; ++run) {
    program.blockingAwait();
    CHECK(seen == std::vector{3, 1, 2});
    CHECK(Counted::live() == 0);
    seen.clear();
  }
}

TEST_CASE("parForEach drops a value that has a member with the name of a release") {
  struct Published {
    bool release;
  };
  int ended = 0;
  parForEach(std::vector{1, 2}, 1, [](int) {
    return now(Published{true});
  }).map([&] {
      ++ended;
    }).blockingAwait();
  CHECK(ended == 1);
}

TEST_CASE("parForEach of nothing succeeds and a limit of 0 is refused with a message") {
  parForEach(std::vector<int>(), 3, [](int i) { return now(i); }).blockingAwait();
  CHECK_THROWS_WITH_AS((void)parForEach(std::vector{1}, 0, [](int i) { return now(i); }),
                       "tapestry::parForEach: got a limit of 0, expected at least 1", std::invalid_argument);
}

TEST_CASE("parForEach reads no more elements ahead than its limit") {
  Manual<void> gate;
  Delivery<void> delivery;
  int read = 0;
  const auto elements = std::views::iota(0, 10) | std::views::transform([&read](int i) {
                          ++read;
                          return i;
                        });
  parForEach(elements, 3, [&](int) { return gate.program(); }).onComplete(delivery.callback());
  for (int ended = 0; ended < 10; ++ended) {
    CHECK(read == std::min(ended + 3, 10));
    gate.take()();
  }
  CHECK(delivery.outcome().hasValue());
}

TEST_CASE("parForEach reads a range of a single pass") {
  std::istringstream words("one two three four");
  std::vector<std::string> seen;
  parForEach(std::views::istream<std::string>(words), 2, [&](const std::string& word) {
    return delay([&seen, word] { seen.push_back(word); });
  }).blockingAwait();
  CHECK(seen == std::vector<std::string>{"one", "two", "three", "four"});
}

TEST_CASE("parForEach reads a range that cannot be copied through a view of it") {
  auto owned = std::ranges::owning_view(std::vector{1, 2, 3});
  std::atomic<int> sum{0};
  ThreadPool pool(2);
  parForEach(std::ranges::ref_view(owned) | std::views::transform([](int i) { return 2 * i; }), 2,
             [&](int i) { return delay([&sum, i] { sum += i; }); })
      .blockingAwait(pool);
  CHECK(sum == 12);
}

TEST_CASE("a broken callback stops the others of parForEach and no more are begun") {
  Manual<int> gate;
  Delivery<void> delivery;
  int begun = 0;
  parForEach(std::views::iota(0, 100), 3, [&](int) {
    ++begun;
    return gate.deaf();
  }).onComplete(delivery.callback());
  { const auto dropped = gate.take(); }
  CHECK(delivery.count() == 0);
  gate.take()(2);
  gate.take()(3);
  REQUIRE(delivery.count() == 1);
  CHECK(test::isError<BrokenCallback>(delivery.outcome().error()));
  CHECK(begun == 3);
}

TEST_CASE("a traversal without values keeps nothing of the elements that have ended") {
  if (test::underAddressSanitizer || test::underThreadSanitizer) return;  // a sanitizer's heap is its own
  const auto heap = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  std::size_t early = 0;
  std::size_t late = 0;
  const auto look = [&](int i) {
    return delay([&, i] {
      if (i == 1000) early = heap();
      if (i == 200'000) late = heap();
    });
  };
  parForEach(std::views::iota(0, 200'001), 4, look).blockingAwait();
  CHECK(late < early + 10'000);
  parTraverse(std::views::iota(0, 200'001), 4, look).blockingAwait();
  CHECK(late < early + 10'000);
}
