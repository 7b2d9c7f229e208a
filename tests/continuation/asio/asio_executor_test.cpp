#include "tapestry/continuation/asio/asio_executor.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/on.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::Counted;
using test::Delivery;
using test::IoThreads;
using test::isError;
using test::Manual;

namespace {

/// Notes whether two threads were in it at once.
class Exclusive {
 public:
  void enter() {
    if (inside_.exchange(true)) overlapped_ = true;
    std::this_thread::yield();
    ++entries_;
    inside_ = false;
  }
  bool overlapped() const { return overlapped_; }
  int entries() const { return entries_; }

 private:
  std::atomic<bool> inside_{false};
  std::atomic<bool> overlapped_{false};
  int entries_ = 0;  // not atomic: ThreadSanitizer sees where it is not excluded
};

/// The error of blockingAwait where it is called; empty if it waits.
std::string complaint() {
  try {
    now(1).blockingAwait();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

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

bool refusesToWait() { return complaint().starts_with("tapestry::blockingAwait: "); }

}  // namespace

TEST_CASE("a run that is started on an io_context works where the context is run") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<std::thread::id> delivery;
  delay([] { return std::this_thread::get_id(); }).onComplete(delivery.callback(), executor);
  CHECK(delivery.count() == 0);
  context.run();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().get() == std::this_thread::get_id());
}

TEST_CASE("only the threads that run the context are here") {
  asio::io_context context;
  asio::io_context other;
  AsioExecutor executor(context.get_executor());
  AsioExecutor otherExecutor(other);
  CHECK_FALSE(executor.isHere());
  bool here = false;
  asio::post(context, [&] { here = executor.isHere() && !otherExecutor.isHere(); });
  context.run();
  CHECK(here);
  context.restart();
  Delivery<bool> delivery;
  delay([&] {
    return executor.isHere() && !otherExecutor.isHere();
  }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a run shifts to an asio thread_pool and to an executor of erased type") {
  asio::thread_pool pool(2);
  {
    AsioExecutor executor(pool);
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, [] { return std::this_thread::get_id(); }).blockingAwait() !=
          std::this_thread::get_id());
    CHECK(execute(erased, [] { return std::this_thread::get_id(); }).blockingAwait() !=
          std::this_thread::get_id());
    CHECK(execute(executor, [&] { return executor.isHere(); }).blockingAwait());
    CHECK(execute(erased, [&] { return erased.isHere(); }).blockingAwait());
    CHECK_FALSE(executor.idle());
  }
  pool.join();
}

TEST_CASE("a run comes back to its executor after a join of parallel branches") {
  IoThreads threads;
  asio::thread_pool pool(2);
  {
    AsioExecutor executor(threads.context);
    AsioExecutor other(pool);
    Delivery<bool> delivery;
    tuple2(parallel(execute(other, [] {})), parallel(execute(other, [] {})))
        .map([&](auto) { return executor.isHere(); })
        .onComplete(delivery.callback(), executor);
    CHECK(delivery.outcome().get());
  }
  pool.join();
}

TEST_CASE("a hundred thousand shifts to the executor that the run is on need no stack") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  tailRecM(0, [&](int i) {
    return shift(executor).map(
        [i] { return i == 100'000 ? Step<int, int>::done(i) : Step<int, int>::next(i + 1); });
  }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get() == 100'000);
}

TEST_CASE("the runs of a strand never overlap though four threads work") {
  constexpr int runs = 200;
  constexpr int steps = 20;
  asio::thread_pool pool(4);
  {
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor other(pool);
    Exclusive exclusive;
    std::vector<Delivery<int>> deliveries(runs);
    for (auto& delivery : deliveries)
      tailRecM(1, [&](int i) {
        return shift(other).flatMap([&] { return shift(strand); }).map([&, i] {
          exclusive.enter();
          return i == steps ? Step<int, int>::done(i) : Step<int, int>::next(i + 1);
        });
      }).onComplete(delivery.callback(), strand);
    for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == steps);
    CHECK_FALSE(exclusive.overlapped());
    CHECK(exclusive.entries() == runs * steps);
  }
  pool.join();
}

TEST_CASE("a strand that is entered within a step of another executor still excludes") {
  constexpr int runs = 2000;
  asio::thread_pool pool(4);
  {
    const auto executor = asio::make_strand(pool.get_executor());
    AsioExecutor strand(executor);
    AsioExecutor other(pool);
    Exclusive exclusive;
    std::vector<Delivery<void>> inner(runs);
    std::vector<Delivery<void>> outer(runs);
    for (std::size_t i = 0; i < runs; ++i)
      delay([&, i] {
        asio::dispatch(executor,
                       [&, i] { delay([&] { exclusive.enter(); }).onComplete(inner[i].callback(), strand); });
      }).onComplete(outer[i].callback(), other);
    for (auto& delivery : outer) CHECK(delivery.outcome().hasValue());
    for (auto& delivery : inner) CHECK(delivery.outcome().hasValue());
    CHECK_FALSE(exclusive.overlapped());
    CHECK(exclusive.entries() == runs);
  }
  pool.join();
}

TEST_CASE("a step that polls another context has the work of that context done by the poll") {
  asio::io_context context;
  asio::io_context inner;
  AsioExecutor executor(context);
  AsioExecutor innerExecutor(inner);
  Delivery<bool> delivery;
  Delivery<bool> innerDelivery;
  delay([&] { return innerExecutor.isHere(); }).onComplete(innerDelivery.callback(), innerExecutor);
  delay([&] { return inner.poll(), innerDelivery.count() == 1; }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get());
  CHECK(innerDelivery.outcome().get());
}

TEST_CASE("a stopped context refuses runs until it is restarted") {
  asio::io_context context;
  AsioExecutor executor(context);
  context.stop();
  Delivery<int> refused;
  delay([] { return 1; }).onComplete(refused.callback(), executor);
  REQUIRE(refused.count() == 1);
  CHECK(isError<ExecutorStopped>(refused.outcome().error()));
  CHECK_THROWS_AS(shift(executor).blockingAwait(), ExecutorStopped);
  context.restart();
  Delivery<int> delivery;
  delay([] { return 1; }).onComplete(delivery.callback(), executor);
  CHECK(delivery.count() == 0);
  context.run();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a task that was posted to a context before the stop waits until the context is restarted") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  delay([] { return 1; }).onComplete(delivery.callback(), executor);
  context.stop();
  context.run();
  CHECK(delivery.count() == 0);
  context.restart();
  context.run();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a context that has run out of work refuses runs that come to it, and their finalizers run") {
  asio::io_context context;
  AsioExecutor executor(context);
  Manual<int> manual;
  Delivery<void> delivery;
  int finalizers = 0;
  ensure(manual.program().flatMap([&](int) { return shift(executor); }), delay([&] { ++finalizers; }))
      .onComplete(delivery.callback());
  context.run();
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(finalizers == 1);
}

TEST_CASE("a context runs until the runs that wait in it have ended, for any kind of wait") {
  asio::io_context context;
  ThreadPool pool(1);
  Delivery<bool> sleeping;
  Delivery<bool> elsewhere;
  Delivery<bool> branching;
  Delivery<bool> coming;
  {
    AsioExecutor executor(context);
    AsioExecutor strand(asio::any_io_executor(asio::make_strand(context)));
    const auto isHere = [&context] { return context.get_executor().running_in_this_thread(); };
    const auto sleep = sleepFor(20ms);
    sleep.map(isHere).onComplete(sleeping.callback(), executor);
    on(pool, sleep).map(isHere).onComplete(elsewhere.callback(), strand);
    tuple2(parallel(on(pool, sleep)), parallel(shift(pool).flatMap([=] { return sleep; })))
        .map([=](auto) { return isHere(); })
        .onComplete(branching.callback(), executor);
    shift(strand).flatMap([=] { return sleep; }).map(isHere).onComplete(coming.callback());
  }
  context.run();
  for (auto* delivery : {&sleeping, &elsewhere, &branching, &coming}) {
    REQUIRE(delivery->count() == 1);
    CHECK(delivery->outcome().get());
  }
}

TEST_CASE("a context does not wait for a run that has shifted elsewhere permanently") {
  asio::io_context context;
  ThreadPool pool(1);
  Manual<int> manual;
  Delivery<int> delivery;
  {
    AsioExecutor executor(context);
    shift(executor)
        .flatMap([&] { return shift(pool); })
        .flatMap([&] { return manual.program(); })
        .onComplete(delivery.callback());
  }
  context.run();
  CHECK(delivery.count() == 0);
  while (manual.waiting() == 0) std::this_thread::yield();
  manual.take()(1);
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("joining a thread_pool waits for the runs that wait in it") {
  asio::thread_pool pool(1);
  Delivery<void> delivery;
  {
    AsioExecutor executor(pool);
    sleepFor(20ms).onComplete(delivery.callback(), executor);
  }
  pool.join();
  CHECK(delivery.count() == 1);
}

TEST_CASE_TEMPLATE("a run that waits outlives its executor and the context, which then refuses it", E,
                   asio::io_context::executor_type, asio::strand<asio::io_context::executor_type>,
                   asio::any_io_executor) {
  Delivery<void> delivery;
  std::atomic<int> finalizers{0};
  {
    asio::io_context context;
    AsioExecutor executor{E(context.get_executor())};
    ensure(sleepFor(30ms), delay([&] { ++finalizers; })).onComplete(delivery.callback(), executor);
    context.run_for(1ms);
    CHECK(delivery.count() == 0);
  }
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(finalizers == 1);
}

TEST_CASE("contexts are destroyed while the last runs of their executors end") {
  for (int i = 0; i < 300; ++i) {
    Delivery<void> delivery;
    {
      asio::io_context context;
      const auto strand = asio::make_strand(context);
      AsioExecutor executor(strand);
      sleepFor(std::chrono::microseconds(i)).onComplete(delivery.callback(), executor);
      context.run_for(std::chrono::microseconds(300 - i));
    }
    CHECK((delivery.outcome().hasValue() || isError<ExecutorStopped>(delivery.outcome().error())));
  }
}

TEST_CASE("a function takes an AsioExecutor that was made from any executor") {
  const auto answer = [](AsioExecutor& executor) { return execute(executor, [] { return 42; }); };
  asio::thread_pool pool(1);
  AsioExecutor executor(pool);
  AsioExecutor strand(asio::make_strand(pool));
  CHECK(answer(executor).blockingAwait() == 42);
  CHECK(answer(strand).blockingAwait() == 42);
  pool.join();
}

TEST_CASE("a context that is kept at work takes the runs that come to it") {
  IoThreads threads;
  AsioExecutor executor(threads.context);
  ThreadPool pool(1);
  Delivery<bool> delivery;
  on(pool, delay([] {})).map([&] { return executor.isHere(); }).onComplete(delivery.callback(), executor);
  CHECK(delivery.outcome().get());
}

TEST_CASE(
    "a thread_pool that was stopped or joined refuses runs, also in a strand and by an erased executor") {
  for (const bool stop : {true, false}) {
    asio::thread_pool pool(1);
    AsioExecutor executor(pool);
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, [] { return 1; }).blockingAwait() == 1);
    if (stop)
      pool.stop();
    else
      pool.join();
    for (Executor* each : {static_cast<Executor*>(&executor), static_cast<Executor*>(&strand),
                           static_cast<Executor*>(&erased)}) {
      int steps = 0;
      int finalizers = 0;
      Delivery<int> delivery;
      delay([&] { return ++steps; }).onComplete(delivery.callback(), *each);
      REQUIRE(delivery.count() == 1);
      CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
      Delivery<void> shifted;
      ensure(shift(*each).map([&] { ++steps; }), delay([&] { ++finalizers; })).onComplete(shifted.callback());
      REQUIRE(shifted.count() == 1);
      CHECK(isError<ExecutorStopped>(shifted.outcome().error()));
      CHECK(steps == 0);
      CHECK(finalizers == 1);
    }
  }
}

TEST_CASE("runs that come and go while their thread_pool is stopped all end") {
  for (int i = 0; i < 200; ++i) {
    std::vector<Delivery<void>> deliveries(4);
    {
      asio::thread_pool pool(2);
      AsioExecutor executor(pool);
      for (auto& delivery : deliveries)
        tailRecM(0, [&](int n) {
          return shift(executor).map(
              [n] { return n == 100 ? Step<int, void>::done() : Step<int, void>::next(n + 1); });
        }).onComplete(delivery.callback(), executor);
      for (std::atomic<int> n{0}; n < i * 20;) ++n;
      pool.stop();
      pool.join();  // steps that are under way still need the executor
    }
    for (auto& delivery : deliveries) {
      REQUIRE(delivery.count() == 1);
      CHECK((delivery.outcome().hasValue() || isError<ExecutorStopped>(delivery.outcome().error())));
    }
  }
}

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
    "blockingAwait in a task of a context, a thread_pool or a strand is an error instead of a deadlock") {
  asio::thread_pool pool(1);
  {
    AsioExecutor executor(pool);
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, refusesToWait).blockingAwait());
    CHECK(execute(strand, refusesToWait).blockingAwait());
    CHECK(execute(erased, refusesToWait).blockingAwait());
    CHECK(execute(executor, complaint)
              .flatMap([](std::string) { return delay(refusesToWait); })
              .blockingAwait());
  }
  pool.join();
}

TEST_CASE(
    "blockingAwait fails in tasks of an io_context that the calling thread runs, and not between them") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> first;
  Delivery<bool> second;
  delay(refusesToWait).onComplete(first.callback(), executor);
  asio::post(context, [&] { CHECK(complaint() == ""); });
  delay(refusesToWait).onComplete(second.callback(), executor);
  CHECK(complaint() == "");
  context.run();
  CHECK(complaint() == "");
  CHECK(first.outcome().get());
  CHECK(second.outcome().get());
}

TEST_CASE("blockingAwait is an error also where a run works in place, in a handler of its context") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> delivery;
  asio::post(context, [&] {
    delay(refusesToWait).onComplete(delivery.callback(), executor);
    CHECK(delivery.count() == 1);
    CHECK(complaint() == "");
  });
  context.run();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a worker that polls a context is a worker afterwards, and so is a task that polls another one") {
  asio::io_context context;
  asio::io_context inner;
  AsioExecutor executor(context);
  AsioExecutor innerExecutor(inner);
  Delivery<bool> delivery;
  Delivery<bool> innerDelivery;
  delay(refusesToWait).onComplete(innerDelivery.callback(), innerExecutor);
  delay([&] { return inner.poll() == 1 && refusesToWait(); }).onComplete(delivery.callback(), executor);
  ThreadPool pool(1);
  CHECK(
      execute(pool, [&] { return context.poll() == 1 && refusesToWait() && pool.isHere(); }).blockingAwait());
  CHECK(delivery.outcome().get());
  CHECK(innerDelivery.outcome().get());
}
