// What an item of a stream costs.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <ranges>

#include "compare/compare.hpp"
#include "tapestry/concurrent/stream/stream.hpp"

namespace tapestry::benchmarks {

namespace {

namespace asio = boost::asio;
using AsioChannel = asio::experimental::channel<void(boost::system::error_code, std::uint64_t)>;

std::uint64_t scrambled(std::uint64_t item) { return item * 6364136223846793005u + 1442695040888963407u; }
bool isKept(std::uint64_t item) { return item >> 62 != 0; }

// Numbers are scrambled, a quarter of them is dropped, and the first of the others are added up.

constexpr std::uint64_t numbers = 10'000'000;
constexpr std::uint64_t taken = 7'000'000;

std::uint64_t loop() {
  std::uint64_t sum = 0, count = 0;
  for (std::uint64_t i = 0; i < numbers && count < taken; ++i)
    if (const std::uint64_t item = scrambled(i); isKept(item)) {
      sum += item;
      ++count;
    }
  return sum;
}

double throughStages() {
  const auto sum =
      Stream<std::uint64_t>::from(std::views::iota(std::uint64_t{0}, numbers))
          .map([](std::uint64_t i) { return scrambled(i); })
          .filter([](std::uint64_t item) { return isKept(item); })
          .take(taken)
          .fold(std::uint64_t{0}, [](std::uint64_t total, std::uint64_t item) { return total + item; });
  std::uint64_t result = 0;
  const double cost = nanoseconds(numbers, [&] { result = sum.blockingAwait(); });
  check(result, loop());
  return cost;
}

double byHand() {
  std::uint64_t result = 0;
  const double cost = nanoseconds(numbers, [&] { result = loop(); });
  if (result == 0) throw std::runtime_error("wrong result: got 0");
  return cost;
}

// A source, a stage and a consumer run side by side, with at most 16 items between two of them.

constexpr std::uint64_t items = 1'000'000;
constexpr std::size_t between = 16;

std::uint64_t expectedSum() {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < items; ++i) sum += scrambled(i);
  return sum;
}

double throughBuffers() {
  const auto sum =
      Stream<std::uint64_t>::from(std::views::iota(std::uint64_t{0}, items))
          .buffer(between)
          .map([](std::uint64_t i) { return scrambled(i); })
          .buffer(between)
          .fold(std::uint64_t{0}, [](std::uint64_t total, std::uint64_t item) { return total + item; });
  std::uint64_t result = 0;
  const double cost = nanoseconds(items, [&] { result = sum.blockingAwait(); });
  check(result, expectedSum());
  return cost;
}

asio::awaitable<void> produce(AsioChannel& to) {
  for (std::uint64_t i = 0; i < items; ++i) co_await to.async_send({}, i, asio::use_awaitable);
}

asio::awaitable<void> scramble(AsioChannel& from, AsioChannel& to) {
  for (std::uint64_t i = 0; i < items; ++i) {
    const std::uint64_t item = co_await from.async_receive(asio::use_awaitable);
    co_await to.async_send({}, scrambled(item), asio::use_awaitable);
  }
}

asio::awaitable<void> addUp(AsioChannel& from, std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < items; ++i) sum += co_await from.async_receive(asio::use_awaitable);
}

double throughChannelsOfAsio() {
  asio::io_context context(1);
  AsioChannel first(context, between), second(context, between);
  std::uint64_t sum = 0;
  const double cost = nanoseconds(items, [&] {
    asio::co_spawn(context, addUp(second, sum), asio::detached);
    asio::co_spawn(context, scramble(first, second), asio::detached);
    asio::co_spawn(context, produce(first), asio::detached);
    context.run();
  });
  check(sum, expectedSum());
  return cost;
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "stream_loop",
       .unit = "ns/item",
       .peer = "a loop by hand",
       .target = 3,
       .ours = throughStages,
       .theirs = byHand},
      {.name = "stream_asio",
       .unit = "ns/item",
       .peer = "Asio awaitables and channels",
       .target = 0.5,
       .ours = throughBuffers,
       .theirs = throughChannelsOfAsio},
  };
}

}  // namespace tapestry::benchmarks
