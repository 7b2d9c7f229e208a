#include "tapestry/continuation/asio/async_run.hpp"

#include <doctest/doctest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/version.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/as_continuation.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;
using test::Counted;
using test::errorText;
using test::IoThreads;
using test::Manual;
using test::MoveOnly;

namespace {

/// As errorText, but "aborted" for the error of that code.
std::string text(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const boost::system::system_error& e) {
    if (e.code() == asio::error::operation_aborted) return "aborted";
  } catch (...) {
  }
  return errorText(error);
}

/// Completes a moment later, on another thread.
struct Later {
  auto two() {
    return timer.async_wait(asContinuation).map([](error_code error) { return error ? 0 : 2; });
  }

  IoThreads threads;
  asio::steady_timer timer{threads.context, 1ms};
};

/// Runs the coroutine on the context until that is out of work.
template <class F>
void runCoroutine(asio::io_context& context, F coroutine) {
  std::exception_ptr failure;
  asio::co_spawn(context, std::move(coroutine), [&](const std::exception_ptr& error) { failure = error; });
  context.run();
  if (failure) std::rethrow_exception(failure);
}

/// Runs the function on a fiber of Asio until the context is out of work.
template <class F>
void runFiber(asio::io_context& context, F function) {
  std::exception_ptr failure;
  context.restart();
  asio::spawn(context, std::move(function), [&](const std::exception_ptr& error) { failure = error; });
  context.run();
  if (failure) std::rethrow_exception(failure);
}

/// Checks that an operation has not completed, and that the signal ends it as aborted.
void checkAbortedBy(asio::cancellation_signal& signal, asio::io_context& context, const std::string& result) {
  context.poll();
  CHECK(result.empty());
  signal.emit(asio::cancellation_type::terminal);
  context.run();
  CHECK(result == "aborted");
}

}  // namespace

TEST_CASE("a future gives the value or throws the error") {
  CHECK(asyncRun(now(7), asio::use_future).get() == 7);
  CHECK_NOTHROW(asyncRun(delay([] {}), asio::use_future).get());
  CHECK(
      asyncRun(now(1).map([more = MoveOnly(4)](int value) { return value + more.value(); }), asio::use_future)
          .get() == 5);
  // on this thread, for ThreadSanitizer does not see how libstdc++ counts the owners of an exception
  asio::io_context context;
  auto token = asio::bind_executor(context, asio::use_future);
  auto broken = asyncRun(async<int>([](auto&&) {}), token);
  auto brokenVoid = asyncRun(async<void>([](auto&&) {}), token);
  context.run();
  CHECK_THROWS_AS(broken.get(), BrokenCallback);
  CHECK_THROWS_AS(brokenVoid.get(), BrokenCallback);
}

TEST_CASE("a coroutine awaits programs that complete at once or later") {
  asio::io_context context;
  Later later;
  const auto wait = later.two();
  int sum = 0;
  bool here = true;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    sum += co_await asyncRun(now(1), asio::use_awaitable);
    here = here && context.get_executor().running_in_this_thread();
    sum += co_await asyncRun(wait, asio::use_awaitable);
    here = here && context.get_executor().running_in_this_thread();
    co_await asyncRun(delay([&] { sum += 4; }), asio::use_awaitable);
  });
  CHECK(sum == 7);
  CHECK(here);
}

TEST_CASE(
    "a coroutine awaits a program with a result that cannot be copied, and a program that it has kept") {
  asio::io_context context;
  int sum = 0;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    sum += (co_await asyncRun(delay([] { return MoveOnly(4); }), asio::use_awaitable)).value();
    auto kept = asyncRun(now(16), asio::use_awaitable);
    sum += co_await std::move(kept);
  });
  CHECK(sum == 20);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a coroutine catches the error of a program") {
  asio::io_context context;
  bool caught = false;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    try {
      co_await asyncRun(async<int>([](auto&&) {}), asio::use_awaitable);
    } catch (const BrokenCallback&) {
      caught = true;
    }
  });
  CHECK(caught);
}

TEST_CASE("an exception of a coroutine after an awaited program leaves the io_context as always") {
  asio::io_context context;
  asio::co_spawn(
      context,
      []() -> asio::awaitable<void> {
        co_await asyncRun(now(1), asio::use_awaitable);
        throw std::runtime_error("out");
      },
      [](const std::exception_ptr& error) { std::rethrow_exception(error); });
  CHECK_THROWS_WITH_AS(context.run(), "out", std::runtime_error);
}

TEST_CASE("a coroutine awaits a hundred thousand programs in a loop without stack") {
  asio::io_context context;
  int sum = 0;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    for (int i = 0; i < 100'000; ++i) sum += co_await asyncRun(now(1), asio::use_awaitable);
  });
  CHECK(sum == 100'000);
}

TEST_CASE("the handler is called on its executor and never inside the call that starts the run") {
  asio::io_context context;
  auto strand = asio::make_strand(context);
  int calls = 0;
  bool here = false;
  asyncRun(now(5), asio::bind_executor(strand, [&](const std::exception_ptr& error, int value) {
             calls += value;
             here = !error && strand.running_in_this_thread();
           }));
  CHECK(calls == 0);
  context.run();
  CHECK(calls == 5);
  CHECK(here);
}

TEST_CASE("the handler's executor is kept at work while the run waits") {
  asio::io_context context;
  Manual<int> manual;
  int result = 0;
  asyncRun(manual.program(),
           asio::bind_executor(context, [&](const std::exception_ptr&, int value) { result = value; }));
  CHECK(context.poll() == 0);
  CHECK_FALSE(context.stopped());
  manual.take()(3);
  context.run();
  CHECK(result == 3);
}

TEST_CASE("a run that is started on an executor works there") {
  ThreadPool pool(1);
  CHECK(asyncRun(delay([&] { return pool.isHere(); }), pool, asio::use_future).get());
  IoThreads threads;
  AsioExecutor strand(asio::make_strand(threads.context));
  CHECK(asyncRun(delay([&] { return strand.isHere(); }), strand, asio::use_future).get());
}

TEST_CASE("the handler's cancellation slot asks the run to stop which is then aborted") {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  asio::cancellation_signal signal;
  std::string result;
  int finalizers = 0;
  asyncRun(ensure(timer.async_wait(asContinuation), delay([&] { ++finalizers; })),
           asio::bind_cancellation_slot(
               signal.slot(), asio::bind_executor(context, [&](const std::exception_ptr& error, error_code) {
                 result = text(error);
               })));
  context.poll();
  CHECK(result.empty());
  signal.emit(asio::cancellation_type::total);
  CHECK(result.empty());
  context.run();
  CHECK(result == "aborted");
  CHECK(finalizers == 1);
}

TEST_CASE("the handler of a run that ends inside the signal may destroy the signal") {
  asio::io_context context;
  auto signal = std::make_unique<asio::cancellation_signal>();
  Manual<int> manual;
  const auto program = manual.program().flatMap([](int x) { return now(x); });
  std::string result;
  asyncRun(program,
           asio::bind_cancellation_slot(
               signal->slot(), asio::bind_executor(context, [&](const std::exception_ptr& error, int) {
                 result = text(error);
                 signal.reset();
               })));
  signal->emit(asio::cancellation_type::terminal);
  manual.take()(1);
  context.run();
  CHECK(result == "aborted");
  CHECK_FALSE(signal);
}

TEST_CASE("when a coroutine awaits the faster of two programs the slower one is cancelled") {
  using namespace asio::experimental::awaitable_operators;
  IoThreads threads;
  asio::io_context context;
  asio::steady_timer timer(threads.context, 1h);
  asio::steady_timer soon(threads.context, 1ms);
  std::size_t first = 2;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    auto slow = asyncRun(timer.async_wait(asContinuation), asio::use_awaitable);
    auto fast = asyncRun(soon.async_wait(asContinuation), asio::use_awaitable);
    const auto both = co_await (std::move(slow) || std::move(fast));
    first = both.index();
  });
  CHECK(first == 1);
}

TEST_CASE("a result that cannot be copied is moved to the handler") {
  {
    asio::io_context context;
    auto future = asyncRun(delay([] { return MoveOnly(4); }), asio::bind_executor(context, asio::use_future));
    context.run();
    CHECK(future.get().value() == 4);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a token that defers starts nothing before it is given a handler") {
  asio::io_context context;
  int calls = 0;
  auto later = asyncRun(UnitContinuation<int>(delay([&] { return ++calls; })), asio::deferred);
  CHECK(calls == 0);
  int result = 0;
  std::move(later)(asio::bind_executor(context, [&](const std::exception_ptr&, int x) { result = x; }));
  context.run();
  CHECK(result == 1);
}

TEST_CASE("a coroutine awaits what a token defers") {
  asio::io_context context;
  Later later;
  int sum = 0;
  bool caught = false;
  const auto wait = later.two().map([&](int two) { sum += two; });
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    co_await asyncRun(delay([&] { sum += 1; }), asio::deferred);
    co_await asyncRun(wait, asio::deferred);
    auto kept = asyncRun(delay([&] { sum += 4; }), asio::deferred);
    co_await std::move(kept);
    try {
      co_await asyncRun(async<void>([](auto&&) {}), asio::deferred);
    } catch (const BrokenCallback&) {
      caught = true;
    }
  });
  CHECK(sum == 7);
  CHECK(caught);
}

#if BOOST_VERSION > 108100  // Boost 1.81 cannot await a deferred operation with an exception_ptr and a value
TEST_CASE("a coroutine awaits the values of programs that a token defers") {
  asio::io_context context;
  Later later;
  const auto wait = later.two();
  int sum = 0;
  bool caught = false;
  runCoroutine(context, [&]() -> asio::awaitable<void> {
    sum += co_await asyncRun(now(1), asio::deferred);
    sum += co_await asyncRun(wait, asio::deferred);
    sum += (co_await asyncRun(delay([] { return MoveOnly(4); }), asio::deferred)).value();
    auto kept = asyncRun(now(16), asio::deferred);
    sum += co_await std::move(kept);
    try {
      co_await asyncRun(async<int>([](auto&&) {}), asio::deferred);
    } catch (const BrokenCallback&) {
      caught = true;
    }
  });
  CHECK(sum == 23);
  CHECK(caught);
  CHECK(Counted::live() == 0);
}
#endif

TEST_CASE("the cancellation of the awaiting coroutine reaches a deferred run") {
  asio::io_context context;
  asio::cancellation_signal signal;
  Manual<int> manual;
  std::string result;
  asio::co_spawn(
      context,
      [&]() -> asio::awaitable<void> { co_await asyncRun(manual.program().map([](int) {}), asio::deferred); },
      asio::bind_cancellation_slot(signal.slot(),
                                   [&](const std::exception_ptr& error) { result = text(error); }));
  checkAbortedBy(signal, context, result);
}

TEST_CASE("a program that becomes an operation becomes a program again") {
  asio::io_context context;
  const auto [error, value] = asyncRun(now(3), asContinuation).blockingAwait();
  CHECK(text(error) == "none");
  CHECK(value == 3);
}

TEST_CASE("a yield context gives the value") {
  asio::io_context context;
  Later later;
  const auto wait = later.two();
  int sum = 0;
  bool here = true;
  const auto look = [&] { here = here && context.get_executor().running_in_this_thread(); };
  runFiber(context, [&](asio::yield_context yield) {
    asyncRun(delay([&] { sum += 1; }), yield);
    look();
    sum += asyncRun(wait, yield);
    look();
    sum += asyncRun(delay([] { return MoveOnly(4); }), yield).value();
    look();
  });
  CHECK(sum == 7);
  CHECK(here);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a yield context throws the error" * test::throwsOnFiber) {
  asio::io_context context;
  const auto broken = async<int>([](auto&&) {});
  runFiber(context, [&](asio::yield_context yield) {
    CHECK_THROWS_AS(asyncRun(broken, yield), BrokenCallback);
    CHECK_THROWS_AS(asyncRun(broken.map([](int) {}), yield), BrokenCallback);
  });
  CHECK_THROWS_AS(runFiber(context, [&](asio::yield_context yield) { asyncRun(broken, yield); }),
                  BrokenCallback);
}

TEST_CASE("a yield context may have an executor of any type, and the run one of tapestry's") {
  asio::io_context context;
  ThreadPool pool(1);
  bool there = false;
  runFiber(context, [&](asio::basic_yield_context<asio::io_context::executor_type> yield) {
    there = asyncRun(delay([&] { return pool.isHere(); }), pool, yield);
  });
  CHECK(there);
  context.restart();
  const auto strand = asio::make_strand(context);
  using Strand = std::remove_const_t<decltype(strand)>;
  bool here = false;
  asio::spawn(
      strand,
      [&](const asio::basic_yield_context<Strand>& yield) {
        asyncRun(now(), pool, yield);
        here = strand.running_in_this_thread();
      },
      asio::detached);
  context.run();
  CHECK(here);
}

TEST_CASE("a fiber runs a hundred thousand programs in a loop without stack") {
  asio::io_context context;
  int sum = 0;
  runFiber(context, [&](asio::yield_context yield) {
    for (int i = 0; i < 100'000; ++i) sum += asyncRun(now(1), yield);
  });
  CHECK(sum == 100'000);
}

TEST_CASE("a run that a yield context's slot stops is aborted" * test::throwsOnFiber) {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  asio::cancellation_signal signal;
  std::string result;
  asio::spawn(
      context, [&](asio::yield_context yield) { asyncRun(timer.async_wait(asContinuation), yield); },
      asio::bind_cancellation_slot(signal.slot(),
                                   [&](const std::exception_ptr& error) { result = text(error); }));
  checkAbortedBy(signal, context, result);
}

TEST_CASE("a yield context's error_code gets that of a run that is cancelled, and no other errors" *
          test::throwsOnFiber) {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  asio::cancellation_signal signal;
  const auto wait = timer.async_wait(asContinuation).map([](error_code) { return 5; });
  runFiber(context, [&](asio::yield_context yield) {
    error_code code = asio::error::eof;
    CHECK(asyncRun(now(3), yield[code]) == 3);
    CHECK_FALSE(code);
    asio::post(context, [&] { signal.emit(asio::cancellation_type::total); });
    CHECK(asyncRun(wait, asio::bind_cancellation_slot(signal.slot(), yield[code])) == 0);
    CHECK(code == asio::error::operation_aborted);
    asyncRun(now(), yield[code]);
    CHECK_FALSE(code);
    asio::post(context, [&] { signal.emit(asio::cancellation_type::total); });
    asyncRun(wait.map([](int) {}), asio::bind_cancellation_slot(signal.slot(), yield[code]));
    CHECK(code == asio::error::operation_aborted);
    CHECK_THROWS_AS(asyncRun(async<int>([](auto&&) {}), yield[code]), BrokenCallback);
    CHECK_FALSE(code);
  });
}

TEST_CASE("a yield context may be bound to an executor, an allocator and a slot" * test::throwsOnFiber) {
  asio::io_context context;
  const auto strand = asio::make_strand(context);
  asio::cancellation_signal signal;
  asio::steady_timer timer(context, 1h);
  runFiber(context, [&](asio::yield_context yield) {
    CHECK(asyncRun(now(1), asio::bind_executor(strand, asio::bind_allocator(std::allocator<int>(), yield))) ==
          1);
    CHECK(strand.running_in_this_thread());
    asio::post(context, [&] { signal.emit(asio::cancellation_type::total); });
    auto bound = asio::bind_cancellation_slot(signal.slot(), yield);
    try {
      asyncRun(timer.async_wait(asContinuation), bound);
      CHECK(false);
    } catch (const boost::system::system_error& error) {
      CHECK(error.code() == asio::error::operation_aborted);
    }
  });
}

TEST_CASE("a fiber whose context is destroyed before the run's end is there is unwound" *
          test::throwsOnFiber) {
  {
    Manual<MoveOnly> manual;
    asio::io_context context;
    asio::spawn(
        context,
        [&](asio::yield_context yield) {
          const Counted local;
          asyncRun(manual.program(), yield);
          CHECK(false);
        },
        asio::detached);
    context.poll();
    CHECK(Counted::live() == 1);
    manual.take()(MoveOnly(1));
  }
  CHECK(Counted::live() == 0);
}
