// The steps of the tutorial on programs.
#include <tapestry/continuation.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>

#include <cstdio>
#include <thread>

using namespace tapestry;

// [loop]
UnitContinuation<long> sum(long n, long total) {
  if (n == 0) return now(total);
  return delay([=] { return total + n; }).flatMap([=](long next) { return sum(n - 1, next); });
}
// [/loop]

int main() {
  // [first]
  UnitContinuation<int> program = delay([] {
                                    std::puts("asked");
                                    return 20;
                                  }).map([](int x) { return x + 1; });
  int answer = program.blockingAwait() + program.blockingAwait();  // prints "asked" twice
  std::printf("%d\n", answer);
  // [/first]

  // [deep]
  std::printf("%ld\n", sum(1'000'000, 0).blockingAwait());
  // [/deep]

  // [async]
  UnitContinuation<int> later =
      async<int>([](Callback<int> callback) { std::thread([callback] { callback(7); }).detach(); });
  std::printf("%d\n", later.blockingAwait());
  // [/async]

  // [parallel]
  ThreadPool pool(2);
  auto [a, b] = tuple2(parallel(sum(1000, 0)), parallel(sum(2000, 0))).blockingAwait(pool);
  std::printf("%ld %ld\n", a, b);
  // [/parallel]

  // [stop]
  StopSource source;
  auto loop =
      delay([&] { source.requestStop(); }).flatMap([] { return delay([] { std::puts("not reached"); }); });
  ensure(loop, delay([] { std::puts("finalizer"); }))
      .onComplete(
          [](const Outcome<void>& outcome) { std::puts(outcome.isCancelled() ? "cancelled" : "finished"); },
          source.token());
  // [/stop]
}
