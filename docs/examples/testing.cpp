// What docs/testing.md shows: interleavings by seed, time that passes at once, deadlocks, cancellation at
// every step.
#include <cassert>
#include <cstdio>
#include <optional>
#include <string>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/environment.hpp>
#include <tapestry/raii/retry.hpp>
#include <tapestry/testing.hpp>

using namespace tapestry;
using namespace std::chrono_literals;
using testing::Scheduler;

namespace {

// [account]
struct Account {
  UnitContinuation<void> pay(Executor& executor, int amount) {
    return execute(executor, [this] { return balance; }).flatMap([=, this, &executor](int seen) {
      return execute(executor, [=, this] { balance = seen + amount; });  // by then it may be another
    });
  }
  int balance = 0;
};
// [/account]

}  // namespace

int main() {
  {
    // [seeds]
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Scheduler scheduler(seed);
      Account account;
      auto both = tuple2(parallel(account.pay(scheduler, 1)), parallel(account.pay(scheduler, 2)));
      static_cast<void>(scheduler.run(both));
      if (account.balance == 3) continue;
      std::printf("a payment was lost, and is again with each run of this seed\n");
      break;
    }
    // [/seeds]
  }
  {
    // [time]
    int attempts = 0;
    auto flaky = Do<int>::delay([&attempts] {
      if (++attempts < 4) throw std::runtime_error("not yet");
      return attempts;
    });
    Scheduler scheduler;
    auto outcome = scheduler.run(retry(flaky, {.attempts = 5, .delay = 1h, .factor = 2, .longest = 24h}));
    const auto waited = scheduler.clock().now().time_since_epoch();
    std::printf("attempt %d, %lld hours later\n", outcome.get(), static_cast<long long>(waited / 1h));
    // [/time]
  }
  {
    // [deadlock]
    std::optional<Callback<int>> kept;
    auto forgetful = async<int>([&](Callback<int> callback) { kept = std::move(callback); });
    try {
      static_cast<void>(Scheduler(7).run(forgetful.named("answer")));
    } catch (const testing::Deadlock& deadlock) {
      std::string text = deadlock.what();
      std::printf("%s\n", text.substr(0, text.find('\n')).c_str());
      // "answer" (testing.cpp:64) in "seed 7" (testing.cpp:64): waits for async (testing.cpp:62)
    }
    // [/deadlock]
  }
  {
    // [cancel]
    int open = 0;
    auto connection = resource(Do<int>::lift(sleepFor(1s).map([&] { return ++open; })), [&](int) { --open; });
    auto program =
        connection.flatMap([](int id) { return Do<int>::lift(sleepFor(1s).map([=] { return id; })); });
    std::size_t runs = testing::cancelAtEveryStep([&] { return program; },
                                                  [&](const Outcome<int>&, std::size_t) {
                                                    if (open != 0) std::printf("a connection is left open\n");
                                                  });
    std::printf("cancelled at each of %zu steps, and nothing was left open\n", runs - 1);
    // [/cancel]
  }
}
