#include "tapestry/continuation/asio/asio_executor.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
namespace asio = boost::asio;
using test::Counted;
using test::Delivery;
using test::IoThreads;
using test::isError;
using test::Manual;

namespace {

/// Shuts its services down before its base class does, as the contexts of later versions of Boost do.
struct ShutDownTwice : asio::io_context {
  ~ShutDownTwice() { shutdown(); }
};

/// An executor of a strand, which counts the functions that it is given.
struct CountingExecutor {
  asio::io_context& query(asio::execution::context_t) const noexcept { return *context; }
  CountingExecutor require(asio::execution::blocking_t::never_t) const { return *this; }
  template <class F>
  void execute(F&& function) const {
    ++*count;
    asio::post(strand, std::forward<F>(function));
  }
  bool operator==(const CountingExecutor& other) const noexcept { return strand == other.strand; }

  asio::io_context* context;
  asio::strand<asio::io_context::executor_type> strand;
  int* count;
};

/// Calls the function when it is destroyed.
template <class F>
struct AtEnd {
  explicit AtEnd(F given) : function(std::make_unique<F>(std::move(given))) {}
  AtEnd(AtEnd&&) = default;
  ~AtEnd() {
    if (function) (*function)();
  }
  void operator()() const {}

  std::unique_ptr<F> function;
};

}  // namespace

TEST_CASE("a run whose turn has not come when its context is destroyed is stopped before its first step") {
  std::optional<asio::io_context> context(std::in_place);
  AsioExecutor executor(*context);
  Delivery<Counted> delivery;
  int calls = 0;
  delay([&] { return ++calls, Counted(1); }).onComplete(delivery.callback(), executor);
  context.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(calls == 0);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a run whose context is destroyed while it shifts is stopped and its finalizers run") {
  std::optional<asio::io_context> context(std::in_place);
  AsioExecutor executor(*context);
  Delivery<void> delivery;
  int after = 0;
  int finalizers = 0;
  const auto finalizer =
      tuple2(parallel(delay([&] { ++finalizers; })), parallel(delay([&] { ++finalizers; }))).map([&](auto) {
        ++finalizers;
      });
  ensure(shift(executor).map([&] { ++after; }), finalizer).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  context.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(after == 0);
  CHECK(finalizers == 3);
}

TEST_CASE("runs that wait in a strand are stopped when its context is destroyed, after the executor") {
  std::vector<Delivery<void>> deliveries(3);
  int finalizers = 0;
  {
    asio::io_context context;
    AsioExecutor executor(asio::make_strand(context));
    for (auto& delivery : deliveries)
      ensure(shift(executor), delay([&] { ++finalizers; })).onComplete(delivery.callback());
  }
  for (auto& delivery : deliveries) {
    REQUIRE(delivery.count() == 1);
    CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  }
  CHECK(finalizers == 3);
}

TEST_CASE("a context may shut its services down twice, which ends the runs that wait in it once") {
  std::vector<Delivery<void>> deliveries(3);
  {
    ShutDownTwice context;
    for (auto& delivery : deliveries) {
      AsioExecutor executor(context);
      shift(executor).onComplete(delivery.callback());
    }
  }
  for (auto& delivery : deliveries) {
    REQUIRE(delivery.count() == 1);
    CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  }
}

TEST_CASE(
    "a strand is given no task while its context is destroyed, also if an older executor has no strand") {
  int tasks = 0;
  Delivery<void> before;
  Delivery<void> after;
  std::optional<AsioExecutor> executor;
  {
    asio::io_context context;
    const AsioExecutor older(context);
    const CountingExecutor counting{&context, asio::make_strand(context), &tasks};
    executor.emplace(counting);
    delay([] {}).onComplete(before.callback(), *executor);
    CHECK(tasks == 1);
    asio::post(counting.strand, AtEnd([&] { delay([] {}).onComplete(after.callback(), *executor); }));
  }
  CHECK(isError<ExecutorStopped>(before.outcome().error()));
  REQUIRE(after.count() == 1);
  CHECK(isError<ExecutorStopped>(after.outcome().error()));
  CHECK(tasks == 1);
}

TEST_CASE("runs that become ready while their context is destroyed all end") {
  for (int i = 0; i < 300; ++i) {
    Delivery<void> delivery;
    ThreadPool pool(1);
    auto context = std::make_unique<asio::io_context>();
    {
      AsioExecutor executor(*context);
      // a join comes back to the executor whenever the other pool is done
      tuple2(parallel(execute(pool, [] {})), parallel(execute(pool, [] {})))
          .map([](auto) {})
          .onComplete(delivery.callback(), executor);
      context->poll();
      for (std::atomic<int> n{0}; n < i * 20;) ++n;
      context.reset();
      CHECK((delivery.outcome().hasValue() || isError<ExecutorStopped>(delivery.outcome().error())));
    }
  }
}

TEST_CASE("a finalizer that shifts to a context that is being destroyed is stopped as well") {
  std::optional<asio::io_context> context(std::in_place);
  AsioExecutor executor(*context);
  Delivery<void> delivery;
  int after = 0;
  ensure(shift(executor), shift(executor).map([&] { ++after; })).onComplete(delivery.callback());
  context.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().hasError());
  CHECK(after == 0);
}

TEST_CASE("an executor at the address of a destroyed executor is not taken for that executor") {
  asio::io_context first;
  asio::io_context second;
  const auto work = asio::make_work_guard(second);
  bool inSecond = false;
  std::optional<AsioExecutor> executor(std::in_place, first);
  now(1).onComplete(
      [&](const auto&) {
        // started within a run, so that its callback comes when the executor of that has been let go
        now(2).onComplete([&](const auto&) {
          executor.emplace(second);
          delay([&] {
            inSecond = second.get_executor().running_in_this_thread();
          }).onComplete([](const auto&) {}, *executor);
        });
      },
      *executor);
  executor.reset();
  first.run();
  CHECK_FALSE(inSecond);
  second.poll();
  CHECK(inSecond);
}

TEST_CASE("an executor may be destroyed as soon as its runs have ended") {
  IoThreads threads(2);
  for (int i = 0; i < 2000; ++i) {
    AsioExecutor executor(threads.context);
    Delivery<int> delivery;
    delay([] { return 1; }).onComplete(delivery.callback(), executor);
    CHECK(delivery.outcome().get() == 1);
  }
}

TEST_CASE(
    "an executor is not taken for a destroyed executor at its address in whose handler a loop still is") {
  asio::io_context first;
  asio::io_context second;
  auto earlier = std::make_unique<AsioExecutor>(first);
  std::unique_ptr<AsioExecutor> later;
  Manual<void> woken;
  bool isHere = true;
  const auto step = woken.program().map([&] {
    // on one thread, so that the memory of the one is likely to be reused for the other
    std::thread([&] {
      earlier.reset();
      later = std::make_unique<AsioExecutor>(second);
    }).join();
    isHere = later->isHere();
  });
  step.onComplete([](const auto&) {});
  now(1).onComplete([&woken](const auto&) { woken.take()(); }, *earlier);
  first.run();
  CHECK(later);
  CHECK_FALSE(isHere);
}
