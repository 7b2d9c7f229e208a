// What the concept pages show of programs, executors, requests to stop, resources and lifetimes.
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/environment.hpp>
#include <tapestry/raii/mask.hpp>
#include <tapestry/raii/memoize.hpp>
#include <tapestry/raii/on.hpp>
#include <tapestry/raii/timeout.hpp>
#include <thread>

using namespace tapestry;
using namespace std::chrono_literals;

// [file]
Do<std::string> file(std::string name) {
  return resource(Do<std::string>::now(name),
                  [](const std::string& opened) { std::printf("close %s\n", opened.c_str()); });
}
// [/file]

// [slot]
struct UserName {
  using Type = std::string;
  static Type initial() { return "nobody"; }
};
// [/slot]

// [countdown]
Do<int> countdown(int n) {
  if (n == 0) return Do<int>::now(0);
  return Do<int>::delay([n] { return n - 1; }).flatMap(countdown);
}
// [/countdown]

void programs() {
  // [twice]
  int runs = 0;
  const Do<int> count = Do<int>::delay([&runs] { return ++runs; });
  const Do<int> both = count.flatMap([count](int) { return count; });  // an immutable value, used twice
  std::printf("%d runs before\n", runs);
  std::printf("%d\n", both.blockingAwait());
  // [/twice]

  // [erase]
  bool wait = false;
  const auto answer = now(1).flatMap([wait](int x) -> UnitContinuation<int> {
    if (wait) return sleepFor(1s).map([x] { return x; });
    return now(x + 1);
  });
  std::printf("%d\n", answer.blockingAwait());
  // [/erase]

  // [ask]
  const Do<std::string> greeting = Do<std::string>::lift(ask<UserName>());
  std::printf("%s %s\n", greeting.blockingAwait().c_str(),
              local<UserName>("Ada", greeting).blockingAwait().c_str());
  // [/ask]

  // [depth]
  std::printf("%d\n", countdown(100'000).blockingAwait());
  // [/depth]

  // [loop]
  using Round = Step<int, int>;
  const Do<int> power =
      tailRecM(1, [](int n) { return Do<Round>::now(n < 1'000 ? Round::next(2 * n) : Round::done(n)); });
  std::printf("%d\n", power.blockingAwait());
  // [/loop]
}

void executors() {
  // [executors]
  ThreadPool pool(2), files(1);
  const auto thread = [] { return std::this_thread::get_id(); };
  const auto reading = Do<std::thread::id>::delay(thread);
  const auto both = on(files, reading).flatMap([=](auto there) {
    return reading.map([there](auto here) { return here != there; });  // `on` has come back
  });
  std::printf("two threads: %d\n", both.blockingAwait(pool));
  std::printf("here: %d\n", reading.blockingAwait() == std::this_thread::get_id());
  // [/executors]
}

void stopping() {
  // [masked]
  StopSource source;
  const auto write = Do<void>::delay([&] { source.requestStop(); }).flatMap([] {
    return Do<void>::delay([] { std::puts("written"); });  // behind a mask, both steps or none
  });
  const auto program = mask(write).flatMap([] { return Do<void>::delay([] { std::puts("not reached"); }); });
  const auto report = [](const Outcome<void>& outcome) {
    std::puts(outcome.isCancelled() ? "cancelled" : "ended");
  };
  program.onComplete(report, source.token());
  // [/masked]

  // [timeout]
  const auto slow = file("slow").flatMap([](const std::string&) { return Do<void>::lift(sleepFor(1h)); });
  try {
    timeout(slow, 1ms).blockingAwait();
  } catch (const TimeoutError&) {
    std::puts("too late, and closed");
  }
  // [/timeout]
}

void resources() {
  // [order]
  const auto lines = file("a").flatMap([](const std::string&) {
    return file("b").intransitiveFlatMap([](const std::string&) { return file("c"); });
  });
  lines.flatMap([](const std::string&) { return Do<void>::delay([] { std::puts("use a and c"); }); })
      .blockingAwait();
  // [/order]

  // [failing]
  const auto bad =
      resource(Do<int>::now(1), [](int) -> Do<void> { throw std::runtime_error("cannot close"); });
  const auto body = bad.flatMap([](int) -> Do<void> { throw std::runtime_error("cannot read"); });
  try {
    body.blockingAwait();
  } catch (const MultipleException& both) {
    std::printf("%zu errors, and all was released\n", both.errors().size());
  }
  // [/failing]

  // [handle]
  Do<Handle<std::string>> table = scoped([] { return std::string("rows"); });
  const Handle<std::string> late = table.run().blockingAwait();
  try {
    std::printf("%s\n", late->c_str());
  } catch (const std::logic_error& error) {
    std::printf("%s\n", error.what());
  }
  // [/handle]
}

void sharing() {
  // [memoize]
  int asked = 0;
  const auto ask = Do<int>::delay([&asked] { return ++asked; });
  const Do<int> once = memoize(ask);
  const int sum =
      tuple2(once, once).map([](const auto& two) { return get<0>(two) + get<1>(two); }).blockingAwait();
  std::printf("%d, asked %d times\n", sum, asked);
  // [/memoize]
}

void captures() {
  // [owned]
  const auto name = std::make_unique<std::string>("data");
  auto right = [text = *name] { return text.size(); };  // by value: the run may be later than the scope
  std::printf("%zu\n", Do<std::size_t>::delay(right).blockingAwait());
  // [/owned]

  // [move-only]
  Do<int> unique = Do<int>::delay([kept = std::make_unique<int>(5)] { return *kept; });  // Do shares it
  std::printf("%d %d\n", unique.blockingAwait(), unique.blockingAwait());
  // [/move-only]
}

int main() {
  programs();
  executors();
  stopping();
  resources();
  sharing();
  captures();
}
