// What docs/meeting_points.md shows: channels, values that runs wait for, locks and batches.
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <tapestry/concurrent.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/environment.hpp>
#include <tapestry/raii/par_traverse.hpp>
#include <tapestry/raii/race.hpp>
#include <tapestry/testing.hpp>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

int main() {
  {
    // [channel]
    const Channel<int> channel(2);
    const auto produce = direct<Do>([=] {
      for (int n : {1, 2, 3, 4, 5}) !channel.send(n);
      channel.close();
    });
    const auto consume = direct<Do>([=] {
      int sum = 0;
      while (const std::optional<int> n = !channel.receiveOrEnd()) sum += *n;
      return sum;
    });
    const auto [unit, sum] = tuple2(parallel(produce), parallel(consume)).blockingAwait();
    std::printf("the sum is %d\n", sum);
    // [/channel]
  }
  {
    // [error]
    const auto readings = Channel<int>::unbounded();
    readings.trySend(20);
    readings.close(std::make_exception_ptr(std::runtime_error("the sensor is broken")));
    const auto last = readings.receive().blockingAwait();
    const Try<int> end = readings.receive().attempt().blockingAwait();
    std::printf("%d, then: %s\n", last, errorAs<std::exception>(end.error())->what());
    // [/error]
  }
  {
    // [race]
    const Channel<int> left(1), right(1);
    const auto either = race(left.receive(), right.receive());
    left.trySend(1);
    right.trySend(2);
    static_cast<void>(either.blockingAwait());
    std::printf("received 1 item, %zu is left\n", left.size() + right.size());
    // [/race]
  }
  {
    // [deferred]
    const Deferred<int> port;
    const auto connect = port.get().map([](int number) { return "port " + std::to_string(number); });
    const std::jthread server([port] { port.complete(8080); });
    const auto [first, second] = tuple2(parallel(connect), parallel(connect)).blockingAwait();
    std::printf("%s, %s\n", first.c_str(), second.c_str());
    // [/deferred]
  }
  {
    // [mutex]
    const Mutex mutex;
    int balance = 100;
    const auto pay = mutex.withLock(Do<int>::delay([&balance] { return balance; }).flatMap([&](int seen) {
      return sleepFor(1ms).map([&balance, seen] { balance = seen - 10; });
    }));
    static_cast<void>(Scheduler().run(tuple2(parallel(pay), parallel(pay))));
    std::printf("the balance is %d\n", balance);
    // [/mutex]
  }
  {
    // [ref]
    const Ref<int> next(1);
    const auto takeNumber = next.modify([](int number) { return std::pair(number + 1, number); });
    const int number = takeNumber.blockingAwait();
    std::printf("number %d, the next is %d\n", number, next.get().blockingAwait());
    // [/ref]
  }
  {
    // [broadcast]
    const Broadcast<int> prices({.capacity = 2, .slow = SlowSubscribers::dropOldest});
    const auto subscriber = direct<Do>([=] {
      const Subscription<int> subscription = !prices.subscribe();
      for (int price : {10, 11, 12}) !prices.publish(price);
      const int first = !subscription.receive();
      return std::pair(first, !subscription.receive());
    });
    const auto [first, second] = subscriber.blockingAwait();
    std::printf("received %d and %d\n", first, second);
    // [/broadcast]
  }
  {
    // [batched]
    const auto query = [](const std::vector<int>& ids) {
      std::printf("one query for %zu rows\n", ids.size());
      std::vector<std::string> rows;
      for (int id : ids) rows.push_back("row " + std::to_string(id));
      return Do<std::vector<std::string>>::now(rows);
    };
    const auto load = batched(query, {.size = 100, .window = 2ms});  // a function of one id
    const auto rows = Scheduler().run(parTraverse(std::views::iota(1, 4), 3, load)).get();
    std::printf("%s, %s, %s\n", rows[0].c_str(), rows[1].c_str(), rows[2].c_str());
    // [/batched]
  }
}
