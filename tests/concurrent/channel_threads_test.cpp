#include <doctest/doctest.h>

#include <atomic>

#include "support/programs/send_all.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/race.hpp"

using namespace tapestry;
using test::sendAll;

namespace {

constexpr int items = test::underThreadSanitizer || test::underAddressSanitizer ? 10'000 : 100'000;

/// Adds the items up to the channel's end.
Do<long> sumOf(const Channel<int>& channel, long before = 0) {
  return channel.receiveOrEnd().flatMap(
      [=](std::optional<int> item) { return item ? sumOf(channel, before + *item) : Do<long>::now(before); });
}

/// Closes the channel when the items of both senders have been sent.
Do<void> sendFromTwo(const Channel<int>& channel) {
  return tupleN(parallel(sendAll(channel, 0, items)), parallel(sendAll(channel, items, 2 * items)))
      .map([channel](const auto&) { channel.close(); });
}

constexpr long sumOfAll = static_cast<long>(items) * (2L * items - 1);

}  // namespace

TEST_CASE("all items of two senders reach two receivers, on two threads") {
  for (const int capacity : {0, 1, 64}) {
    ThreadPool pool(2);
    const Channel<int> channel(capacity);
    const auto all =
        tupleN(parallel(sendFromTwo(channel)), parallel(sumOf(channel)), parallel(sumOf(channel)));
    const auto [sent, first, second] = all.blockingAwait(pool);
    CHECK(first + second == sumOfAll);
  }
}

TEST_CASE("receives that lose races on two threads lose no item") {
  ThreadPool pool(2);
  const Channel<int> channel(4);
  std::atomic<long> sum = 0;
  // each round races two receives, of which the first item is used
  struct Rounds {
    Channel<int> channel;
    std::atomic<long>& sum;
    Do<void> operator()() const {
      return race(channel.receiveOrEnd(), channel.receiveOrEnd())
          .flatMap([*this](const std::variant<std::optional<int>, std::optional<int>>& won) {
            const auto item = won.index() == 0 ? std::get<0>(won) : std::get<1>(won);
            if (!item) return Do<void>::now();
            sum += *item;
            return (*this)();
          });
    }
  };
  const auto all = tupleN(parallel(sendFromTwo(channel)), parallel(Rounds{channel, sum}()));
  static_cast<void>(all.blockingAwait(pool));
  // the end may win the last race, whose loser has given its item back
  while (const auto item = channel.tryReceive()) sum += *item;
  CHECK(sum == sumOfAll);
}
