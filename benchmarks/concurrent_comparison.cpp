// What meeting points and tasks cost: channels, children, locks and batches.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>
#if TAPESTRY_HAS_TBB
#include <tbb/concurrent_queue.h>
#endif

#include "compare/compare.hpp"
#include "tapestry/concurrent/batched.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/mutex.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/repeat.hpp"

namespace tapestry::benchmarks {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using AsioChannel = asio::experimental::channel<void(boost::system::error_code, long)>;

constexpr long items = 1'000'000;
constexpr long sumOfItems = items * (items - 1) / 2;
constexpr long capacity = 64;

/// Sends the numbers from i up to end.
Do<void> sendAll(const Channel<long>& channel, long i, long end) {
  if (i == end) return Do<void>::now();
  return channel.send(i).flatMap([channel, i, end] { return sendAll(channel, i + 1, end); });
}

/// Yields the sum of so many items.
Do<long> receiveAll(const Channel<long>& channel, long count, long sum = 0) {
  if (count == 0) return Do<long>::now(sum);
  return channel.receive().flatMap(
      [channel, count, sum](long item) { return receiveAll(channel, count - 1, sum + item); });
}

double channelItems() {
  const Channel<long> channel(capacity);
  const auto both = tuple2(parallel(receiveAll(channel, items)), parallel(sendAll(channel, 0, items)));
  long sum = 0;
  const double cost = nanoseconds(items, [&] { sum = std::get<0>(both.blockingAwait()); });
  check(sum, sumOfItems);
  return cost;
}

asio::awaitable<void> sendAllInAsio(AsioChannel& channel) {
  for (long i = 0; i < items; ++i) co_await channel.async_send({}, i, asio::use_awaitable);
}

asio::awaitable<void> receiveAllInAsio(AsioChannel& channel, long& sum) {
  for (long i = 0; i < items; ++i) sum += co_await channel.async_receive(asio::use_awaitable);
}

double channelItemsOfAsio() {
  asio::io_context context(1);
  AsioChannel channel(context, capacity);
  long sum = 0;
  const double cost = nanoseconds(items, [&] {
    asio::co_spawn(context, receiveAllInAsio(channel, sum), asio::detached);
    asio::co_spawn(context, sendAllInAsio(channel), asio::detached);
    context.run();
  });
  check(sum, sumOfItems);
  return cost;
}

/// Two senders and two receivers, on two threads.
double channelOnThreads() {
  ThreadPool pool(2);
  const Channel<long> channel(capacity);
  const auto all =
      tupleN(parallel(receiveAll(channel, items / 2)), parallel(receiveAll(channel, items / 2)),
             parallel(sendAll(channel, 0, items / 2)), parallel(sendAll(channel, items / 2, items)));
  long sum = 0;
  const double cost = nanoseconds(items, [&] {
    const auto sums = all.blockingAwait(pool);
    sum = std::get<0>(sums) + std::get<1>(sums);
  });
  check(sum, sumOfItems);
  return cost;
}

#if TAPESTRY_HAS_TBB
double channelOnThreadsOfTbb() {
  tbb::concurrent_bounded_queue<long> queue;
  queue.set_capacity(capacity);
  long sums[2] = {};
  const double cost = nanoseconds(items, [&] {
    std::vector<std::jthread> threads;
    for (long half = 0; half < 2; ++half) {
      threads.emplace_back([&queue, half] {
        for (long i = 0; i < items / 2; ++i) queue.push(half * (items / 2) + i);
      });
      threads.emplace_back([&queue, &sum = sums[half]] {
        for (long i = 0, item = 0; i < items / 2; ++i, sum += item) queue.pop(item);
      });
    }
  });
  check(sums[0] + sums[1], sumOfItems);
  return cost;
}
constexpr const char* missing = "";
#else
double channelOnThreadsOfTbb() { return 0; }
constexpr const char* missing = oneTbbIsMissing;
#endif

// Children, 1,000 at a time, which do nothing but count.

constexpr long rounds = 1'000;
constexpr long childrenInRound = 1'000;

Do<void> joinAll(const std::vector<Task<void>>& tasks, std::size_t i) {
  if (i == tasks.size()) return Do<void>::now();
  return tasks[i].join().flatMap([&tasks, i] { return joinAll(tasks, i + 1); });
}

Do<void> spawnAll(const Supervisor& supervisor, const Do<void>& child, std::vector<Task<void>>& tasks) {
  if (tasks.size() == childrenInRound) return joinAll(tasks, 0);
  return supervisor.spawn(child).flatMap([&supervisor, &child, &tasks](const Task<void>& task) {
    tasks.push_back(task);
    return spawnAll(supervisor, child, tasks);
  });
}

double spawnAndJoin() {
  long ran = 0;
  const Do<void> child = Do<void>::delay([&ran] { ++ran; });
  std::vector<Task<void>> tasks;
  const auto program = Supervisor::scoped().flatMap([&](const Supervisor& supervisor) {
    const auto round = Do<void>::suspend([&child, &tasks, supervisor] {
      tasks.clear();
      return spawnAll(supervisor, child, tasks);
    });
    return repeat(round, rounds);
  });
  const double cost = nanoseconds(rounds * childrenInRound, [&] { program.blockingAwait(); });
  check(ran, rounds * childrenInRound);
  return cost;
}

asio::awaitable<void> childInAsio(long& ran) {
  ++ran;
  co_return;
}

asio::awaitable<void> spawnAndJoinInAsio(asio::io_context& context, long& ran) {
  for (long round = 0; round < rounds; ++round) {
    std::vector<decltype(asio::co_spawn(context, childInAsio(ran), asio::deferred))> children;
    for (long i = 0; i < childrenInRound; ++i)
      children.push_back(asio::co_spawn(context, childInAsio(ran), asio::deferred));
    co_await asio::experimental::make_parallel_group(std::move(children))
        .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
  }
}

double spawnAndJoinOfAsio() {
  asio::io_context context(1);
  long ran = 0;
  const double cost = nanoseconds(rounds * childrenInRound, [&] {
    asio::co_spawn(context, spawnAndJoinInAsio(context, ran), asio::detached);
    context.run();
  });
  check(ran, rounds * childrenInRound);
  return cost;
}

// Locks that are free.

double lockAndUnlock() {
  const Mutex mutex;
  long counter = 0;
  const Do<void> step = mutex.lock().map([&counter] { ++counter; });
  const double cost = nanoseconds(items, [&] { repeat(step, items).blockingAwait(); });
  check(counter, items);
  return cost;
}

Do<void> lockedEachTime(const Mutex& mutex, long& counter, long count) {
  if (count == 0) return Do<void>::now();
  return mutex.lock().map([&counter] { ++counter; }).run().flatMap([&mutex, &counter, count] {
    return lockedEachTime(mutex, counter, count - 1);
  });
}

double buildLockAndUnlock() {
  const Mutex mutex;
  long counter = 0;
  const double cost = nanoseconds(items, [&] { lockedEachTime(mutex, counter, items).blockingAwait(); });
  check(counter, items);
  return cost;
}

asio::awaitable<void> lockInAsio(AsioChannel& lock, long& counter) {
  for (long i = 0; i < items; ++i) {
    co_await lock.async_send({}, 0, asio::use_awaitable);
    ++counter;
    lock.try_receive([](boost::system::error_code, long) {});
  }
}

double lockAndUnlockOfAsio() {
  asio::io_context context(1);
  AsioChannel lock(context, 1);
  long counter = 0;
  const double cost = nanoseconds(items, [&] {
    asio::co_spawn(context, lockInAsio(lock, counter), asio::detached);
    context.run();
  });
  check(counter, items);
  return cost;
}

// Batches: a call costs 5 us, and 50 ns for each item.

constexpr long requests = 100'000;
constexpr long batchSize = 100;

/// Squares, in the time that such a call takes.
std::vector<long> squares(const std::vector<long>& numbers) {
  const auto end = std::chrono::steady_clock::now() + 5us +
                   50ns * static_cast<std::chrono::nanoseconds::rep>(numbers.size());
  std::vector<long> results;
  for (const long number : numbers) results.push_back(number * number);
  while (std::chrono::steady_clock::now() < end) continue;
  return results;
}

constexpr long sumOfSquares = (requests - 1) * requests / 2 * (2 * requests - 1) / 3;

double batchedCalls() {
  const auto square = batched(
      [](std::vector<long> numbers) {
        return Do<std::vector<long>>::delay([numbers = std::move(numbers)] { return squares(numbers); });
      },
      {.size = batchSize, .window = 1ms});
  std::vector<long> numbers(requests);
  std::iota(numbers.begin(), numbers.end(), 0);
  long sum = 0;
  const auto all = parForEach(numbers, batchSize, [&](long number) {
    return square(number).map([&sum](long result) { sum += result; });
  });
  const double cost = nanoseconds(requests, [&] { all.blockingAwait(); });
  check(sum, sumOfSquares);
  return cost;
}

double singleCalls() {
  long sum = 0;
  const double cost = nanoseconds(requests, [&] {
    for (long number = 0; number < requests; ++number) sum += squares({number})[0];
  });
  check(sum, sumOfSquares);
  return cost;
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "channel_asio",
       .unit = "ns/item",
       .peer = "Asio channel",
       .target = 0.5,
       .ours = channelItems,
       .theirs = channelItemsOfAsio},
      {.name = "channel_threads_tbb",
       .unit = "ns/item",
       .peer = "oneTBB concurrent_bounded_queue",
       .target = 1,
       .threads = 2,
       .ours = channelOnThreads,
       .theirs = channelOnThreadsOfTbb,
       .leftOut = missing},
      {.name = "spawn_asio",
       .unit = "ns/child",
       .peer = "Asio co_spawn",
       .target = 0.5,
       .ours = spawnAndJoin,
       .theirs = spawnAndJoinOfAsio},
      {.name = "mutex_asio",
       .unit = "ns/lock",
       .peer = "Asio channel of one",
       .target = 0.3,
       .ours = lockAndUnlock,
       .theirs = lockAndUnlockOfAsio},
      {.name = "mutex_built_asio",
       .unit = "ns/lock",
       .peer = "Asio channel of one",
       .target = 0.5,
       .ours = buildLockAndUnlock,
       .theirs = lockAndUnlockOfAsio},
      {.name = "batched",
       .unit = "ns/item",
       .peer = "single calls",
       .target = 0.1,
       .ours = batchedCalls,
       .theirs = singleCalls,
       .repetitions = 5},
  };
}

}  // namespace tapestry::benchmarks
