#include "tapestry/continuation/blocking.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using test::Delivery;
using test::isError;
using test::Manual;

namespace {

bool mayWait() {
  try {
    return now(true).blockingAwait();
  } catch (const std::logic_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("blocking calls do not block each other: all of them run at once") {
  ThreadPool pool(1);
  std::atomic<int> inside{0};
  const auto meet = blocking([&] {
    // each waits until all are here
    ++inside;
    while (inside < 8) std::this_thread::yield();
    return std::this_thread::get_id();
  });
  std::vector<Delivery<std::thread::id>> deliveries(8);
  for (auto& delivery : deliveries) meet.onComplete(delivery.callback(), pool);
  for (auto& delivery : deliveries) CHECK(delivery.outcome().hasValue());
}

TEST_CASE("a run continues where it was after a blocking call") {
  ThreadPool pool(1);
  const auto worker = execute(pool, [] { return std::this_thread::get_id(); });
  const auto program = worker.flatMap([](std::thread::id before) {
    return blocking([before] { return before != std::this_thread::get_id(); }).map([before](bool elsewhere) {
      return elsewhere && before == std::this_thread::get_id();
    });
  });
  CHECK(program.blockingAwait());
}

TEST_CASE("a blocking call may wait for another program, and that for another one") {
  ThreadPool pool(1);
  const auto program = blocking([&pool] {
    const auto inner = blocking([&pool] { return execute(pool, [] { return 1; }).blockingAwait(); });
    return inner.blockingAwait() +
           sleepFor(std::chrono::milliseconds(1)).map([] { return 1; }).blockingAwait();
  });
  CHECK(mayWait());
  CHECK(program.blockingAwait() == 2);
  CHECK(execute(pool, [] {
          return 3;
        }).flatMap([&](int x) {
            return program.map([x](int y) { return x + y; });
          }).blockingAwait() == 5);
}

TEST_CASE("a blocking call may resume a run and wait for it") {
  Manual<int> manual;
  const auto shared = memoize(manual.program().map([](int value) { return value + 1; }));
  Delivery<int> delivery;
  shared.onComplete(delivery.callback());
  CHECK(blocking([&] {
          manual.take()(1);
          return shared.blockingAwait();
        }).blockingAwait() == 2);
  CHECK(delivery.outcome().get() == 2);
}

TEST_CASE("a blocking call fails where the system gives no thread, even if other calls have one") {
  const auto ending = test::inChild([] {
    std::latch begun(1), mayEnd(1);
    Delivery<void> first, second;
    blocking([&] { begun.count_down(), mayEnd.wait(); }).onComplete(first.callback());
    begun.wait();
    if (!test::limitThreads(1)) std::_Exit(7);  // the other thread uses the latches
    blocking([] {}).onComplete(second.callback());
    const bool isRefused = second.count() == 1 && isError<ExecutorStopped>(second.outcome().error());
    mayEnd.count_down();
    std::fputs(isRefused && first.outcome().hasValue() ? "refused" : "waits", stderr);
    second.outcome();
  });
  CHECK(ending.status == 0);
  CHECK(ending.text == "refused");
}

TEST_CASE("the condition of a blocking call is not delayed by runs on the threads for blocking calls") {
  Manual<int> manual;
  std::atomic<bool> done{false};
  Delivery<bool> delivery;
  shift(blockingThreads())
      .flatMap([&] { return tuple2(parallel(manual.program()), parallel(now(2))); })
      .map([&](auto) {
        while (!done) std::this_thread::yield();
        return true;
      })
      .onComplete(delivery.callback());
  while (manual.waiting() == 0) std::this_thread::yield();
  const auto program = blocking([&] {
    delay([&] { manual.take()(1); }).flatMap([] { return now(1); }).blockingAwait();
    done = true;
  });
  program.blockingAwait();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a blocking call that runs an io_context may wait, the tasks of the context may not") {
  boost::asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> inTask;
  delay(mayWait).onComplete(inTask.callback(), executor);
  CHECK(blocking([&] { return mayWait() && context.run() == 1 && mayWait(); }).blockingAwait());
  CHECK_FALSE(inTask.outcome().get());
}
