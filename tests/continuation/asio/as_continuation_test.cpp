#include "tapestry/continuation/asio/as_continuation.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/append.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "support/system/loopback.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;
using test::Counted;
using test::Delivery;
using test::IoThreads;
using test::isError;
using test::lastWords;
using test::Loopback;
using test::MoveOnly;

namespace {

template <class F, class Executor = asio::io_context::executor_type>
struct Initiation {
  using executor_type = Executor;
  executor_type get_executor() const noexcept { return executor; }
  template <class Handler>
  void operator()(Handler handler) const {
    function(std::move(handler));
  }
  executor_type executor;
  F function;
};

/// An operation of one's own, on the context, that gives its handler to the function.
template <class Signature, class F>
auto operation(asio::io_context& context, F function, const AsContinuation& token = asContinuation) {
  return asio::async_initiate<const AsContinuation&, Signature>(
      Initiation<F>{context.get_executor(), std::move(function)}, token);
}

/// An executor that throws when it is asked for its context.
struct WithoutContext {
  asio::execution_context& query(asio::execution::context_t) const { throw std::runtime_error("no context"); }
  WithoutContext require(asio::execution::blocking_t::never_t) const noexcept { return {}; }
  template <class F>
  void execute(F) const {}
  bool operator==(const WithoutContext&) const noexcept = default;
};

/// A sleep would last too long, and end when the scheduler likes.
void spinFor(std::chrono::nanoseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) continue;
}

template <class A, class P>
constexpr bool yields = std::is_same_v<typename P::ValueType, A>;

}  // namespace

TEST_CASE("a timer's wait is a program that starts when it is run, and in every run") {
  asio::io_context context;
  asio::steady_timer timer(context, 1ms);
  const auto wait = timer.async_wait(asContinuation);
  static_assert(yields<error_code, decltype(wait)>);
  CHECK(context.poll() == 0);
  for (int i = 0; i < 3; ++i) {
    Delivery<error_code> delivery;
    timer.expires_after(1ms);
    wait.onComplete(delivery.callback());
    CHECK(delivery.count() == 0);
    context.restart();
    context.run();
    REQUIRE(delivery.count() == 1);
    CHECK_FALSE(delivery.outcome().get());
  }
}

TEST_CASE("the value is void for no result, the result where there is one, else a tuple") {
  asio::io_context context;
  const auto none = asio::post(context, asContinuation);
  const auto one = operation<void(int)>(context, [](auto handler) { handler(1); });
  const auto two = operation<void(int, const std::string&)>(context, [](auto handler) { handler(1, "a"); });
  static_assert(yields<void, decltype(none)> && yields<int, decltype(one)>);
  static_assert(yields<std::tuple<int, std::string>, decltype(two)>);
  CHECK(one.blockingAwait() == 1);
  CHECK(two.blockingAwait() == std::tuple<int, std::string>(1, "a"));
  Delivery<void> delivery;
  none.onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  context.run();
  CHECK(delivery.outcome().hasValue());
}

TEST_CASE("an operation is erased, mapped and run many times at once like any program") {
  IoThreads threads(2);
  const UnitContinuation<int> program = asio::post(threads.context, asContinuation).map([] { return 1; });
  std::vector<Delivery<int>> deliveries(100);
  for (auto& delivery : deliveries) program.onComplete(delivery.callback());
  for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("a result that cannot be copied is moved through") {
  asio::io_context context;
  const auto program = operation<void(MoveOnly)>(context, [](auto handler) { handler(MoveOnly(3)); });
  CHECK(program.blockingAwait().value() == 3);
  CHECK(Counted::live() == 0);
}

TEST_CASE("sockets connect, accept, write and read over loopback") {
  IoThreads threads;
  Loopback loopback(threads.context.get_executor());
  const std::string sent(100'000, 'x');
  std::string received(sent.size(), ' ');
  const auto write = asio::async_write(loopback.client, asio::buffer(sent), asContinuation);
  const auto read = asio::async_read(loopback.server, asio::buffer(received), asContinuation);
  static_assert(yields<std::tuple<error_code, std::size_t>, decltype(read)>);
  const auto [wrote, got] = tuple2(parallel(write), parallel(read)).blockingAwait();
  CHECK_FALSE(std::get<0>(wrote));
  CHECK(std::get<1>(got) == sent.size());
  CHECK(received == sent);
  loopback.client.close();
  const auto [error, bytes] =
      loopback.server.async_read_some(asio::buffer(received), asContinuation).blockingAwait();
  CHECK(error == asio::error::eof);
  CHECK(bytes == 0);
}

TEST_CASE("an accepted socket is a value") {
  IoThreads threads;
  using Tcp = asio::ip::tcp;
  Tcp::acceptor acceptor(threads.context, Tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  Tcp::socket client(threads.context);
  const auto both = tuple2(parallel(acceptor.async_accept(asContinuation)),
                           parallel(client.async_connect(acceptor.local_endpoint(), asContinuation)));
  const auto [accepted, connected] = both.blockingAwait();
  CHECK_FALSE(connected);
  CHECK(std::get<1>(accepted).remote_endpoint() == client.local_endpoint());
}

TEST_CASE("a resolver finds a numeric host") {
  IoThreads threads;
  asio::ip::tcp::resolver resolver(threads.context);
  const auto [error, results] = resolver.async_resolve("127.0.0.1", "80", asContinuation).blockingAwait();
  REQUIRE_FALSE(error);
  CHECK(results.begin()->endpoint().address().to_string() == "127.0.0.1");
}

TEST_CASE("the run comes back to its own executor") {
  IoThreads threads;
  ThreadPool pool(1);
  asio::steady_timer timer(threads.context, 1ms);
  const auto wait = timer.async_wait(asContinuation);
  const auto here = [&] { return pool.isHere(); };
  CHECK(execute(pool, [] {
        }).flatMap([=] {
            return wait.map([=](error_code) { return here(); });
          }).blockingAwait());
  const auto caller = std::this_thread::get_id();
  CHECK(wait.map([](error_code) { return std::this_thread::get_id(); }).blockingAwait() == caller);
}

TEST_CASE("a run on the io_context itself continues within the handler") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> delivery;
  int handlers = 0;
  asio::post(context, asContinuation)
      .map([&] { return executor.isHere(); })
      .onComplete(delivery.callback(), executor);
  while (delivery.count() == 0) handlers += static_cast<int>(context.poll_one());
  CHECK(delivery.outcome().get());
  CHECK(handlers == 2);  // the start, and the operation
}

TEST_CASE("an operation that completes when it is started continues after the call that started it") {
  asio::io_context context;
  int depth = 0;
  int deepest = 0;
  const auto program = operation<void()>(context, [&](auto handler) {
    deepest = std::max(deepest, ++depth);
    handler();
    --depth;
  });
  const auto loop = tailRecM(0, [&](int i) {
    return program.map([i] { return i == 100'000 ? Step<int, int>::done(i) : Step<int, int>::next(i + 1); });
  });
  CHECK(loop.blockingAwait() == 100'000);
  CHECK(deepest == 1);
}

TEST_CASE("a dispatch to the executor that the run is on needs no stack") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  tailRecM(0, [&](int i) {
    return asio::dispatch(context, asContinuation).map([i] {
      return i == 50'000 ? Step<int, int>::done(i) : Step<int, int>::next(i + 1);
    });
  }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get() == 50'000);
}

TEST_CASE("a request to stop cancels the wait for a timer, whose run is cancelled once that has completed") {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  const StopSource source;
  Delivery<error_code> delivery;
  int after = 0;
  timer.async_wait(asContinuation)
      .map([&](error_code error) { return ++after, error; })
      .onComplete(delivery.callback(), source.token());
  context.poll();
  source.requestStop();
  CHECK(delivery.count() == 0);
  context.restart();
  context.run();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(after == 0);
  CHECK(timer.expiry() > asio::steady_timer::clock_type::now());
}

TEST_CASE("a request that came before the operation keeps it from being started") {
  asio::io_context context;
  const StopSource source;
  source.requestStop();
  Delivery<void> delivery;
  int started = 0;
  operation<void()>(context, [&](auto handler) {
    ++started, handler();
  }).onComplete(delivery.callback(), source.token());
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(started == 0);
}

TEST_CASE("a request that comes while the operation is being started cancels it") {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  const StopSource source;
  Delivery<error_code> delivery;
  operation<void(error_code)>(context, [&](auto handler) {
    source.requestStop();
    timer.async_wait(std::move(handler));
  }).onComplete(delivery.callback(), source.token());
  CHECK(delivery.count() == 0);
  context.run();
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a request that comes after the operation has completed has no effect on it") {
  asio::io_context context;
  asio::io_context other;
  const auto work = asio::make_work_guard(other);
  AsioExecutor executor(other);
  const StopSource source;
  Delivery<int> delivery;
  operation<void(int)>(context, [&](auto handler) {
    asio::post(context, [handler = std::move(handler)]() mutable { handler(1); });
  }).onComplete(delivery.callback(), executor, source.token());
  other.poll();
  context.run();
  source.requestStop();
  CHECK(delivery.count() == 0);
  other.poll();
  CHECK(delivery.outcome().get() == 1);
}

TEST_CASE("under a mask the operation is not cancelled") {
  asio::io_context context;
  asio::steady_timer timer(context, 5ms);
  const StopSource source;
  Delivery<error_code> delivery;
  error_code seen = asio::error::eof;
  mask(timer.async_wait(asContinuation).map([&](error_code error) {
    return seen = error;
  })).onComplete(delivery.callback(), source.token());
  source.requestStop();
  context.run();
  CHECK_FALSE(seen);
  CHECK(delivery.count() == 1);
}

TEST_CASE("the cancellation is emitted on the I/O object's executor") {
  IoThreads threads;
  asio::io_context& context = threads.context;
  const StopSource source;
  Delivery<void> delivery;
  std::atomic<bool> started{false};
  std::atomic<bool> here{false};
  operation<void()>(context, [&](auto handler) {
    auto slot = handler.get_cancellation_slot();
    slot.assign([&, handler = std::move(handler)](asio::cancellation_type) mutable {
      here = context.get_executor().running_in_this_thread();
      handler();
    });
    started = true;
  }).onComplete(delivery.callback(), source.token());
  CHECK(started);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(here);
}

TEST_CASE("the first failing branch cancels the operation of the other") {
  IoThreads threads;
  asio::steady_timer timer(threads.context, 1h);
  const auto broken = operation<void()>(threads.context, [](auto) {});
  CHECK_THROWS_AS(tuple2(parallel(timer.async_wait(asContinuation)), parallel(broken)).blockingAwait(),
                  BrokenCallback);
}

TEST_CASE("a handler that is destroyed uncalled stops the run with BrokenCallback") {
  asio::io_context context;
  int after = 0;
  const auto program = operation<void()>(context, [](auto) {}).map([&] { ++after; });
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  CHECK(after == 0);
}

TEST_CASE("a context that is destroyed stops the runs that wait for it") {
  for (const bool requested : {false, true}) {
    const StopSource source;
    Delivery<error_code> delivery;
    int finalizers = 0;
    auto context = std::make_unique<asio::io_context>();
    // as the last owner of the timer, the run destroys it while its context is being destroyed
    auto timer = std::make_unique<asio::steady_timer>(*context, 1h);
    ensure(timer->async_wait(asContinuation), delay([&] { ++finalizers, timer.reset(); }))
        .onComplete(delivery.callback(), source.token());
    context->poll();
    if (requested) source.requestStop();
    context.reset();
    REQUIRE(delivery.count() == 1);
    CHECK(finalizers == 1);
    CHECK(delivery.outcome().isCancelled() == requested);
    if (!requested) CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  }
}

TEST_CASE("a context that is destroyed stops also the runs that it does the work of") {
  const StopSource source;
  Delivery<error_code> delivery;
  auto context = std::make_unique<asio::io_context>();
  AsioExecutor executor(*context);
  auto timer = std::make_unique<asio::steady_timer>(*context, 1h);
  timer->async_wait(asContinuation).onComplete(delivery.callback(), executor, source.token());
  context->poll();
  // the operation completes, but its handler's turn never comes
  timer.reset();
  context.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().hasError());
}

TEST_CASE_TEMPLATE("an executor may go before its context does", E, asio::io_context::executor_type,
                   asio::strand<asio::io_context::executor_type>) {
  Delivery<error_code> delivery;
  auto context = std::make_unique<asio::io_context>();
  auto executor = std::make_unique<AsioExecutor>(E(context->get_executor()));
  auto timer = std::make_unique<asio::steady_timer>(*context, 1h);
  int finalizers = 0;
  ensure(timer->async_wait(asContinuation), delay([&] { ++finalizers; }))
      .onComplete(delivery.callback(), *executor);
  context->poll();
  executor.reset();
  timer.reset();
  context.reset();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().hasError());
  CHECK(finalizers == 1);
}

TEST_CASE("an operation that throws when it is started ends the process") {
  const auto wordsWith = [](const AsContinuation& token) {
    return lastWords([&] {
      asio::io_context context;
      operation<void()>(
          context, [](auto) { throw std::runtime_error("no such file"); }, token)
          .blockingAwait();
    });
  };
  const auto unplaced = wordsWith(asContinuation);
  CHECK(unplaced.starts_with("tapestry::asContinuation: the operation threw, got no such file, expected"));
  const auto placed = wordsWith(asContinuation());
  CHECK(placed.starts_with("tapestry::asContinuation: the operation given at "));
  CHECK(placed.find("as_continuation_test.cpp:" + std::to_string(__LINE__ - 2) + " threw") !=
        std::string::npos);
}

TEST_CASE("an operation on an executor that cannot be prepared for it ends the process") {
  const auto words = lastWords([] {
    auto ignore = [](auto) {};
    asio::async_initiate<const AsContinuation&, void()>(
        Initiation<decltype(ignore), WithoutContext>{{}, ignore}, asContinuation)
        .blockingAwait();
  });
  CHECK(words.starts_with("tapestry::asContinuation: the operation threw, got no context, expected"));
}

TEST_CASE("a cancellation at any moment from another thread ends each run once") {
  constexpr std::size_t rounds = 3000;
  IoThreads threads(3);
  ThreadPool pool(1);
  std::vector<StopSource> sources(rounds);
  std::atomic<std::size_t> started{0};
  std::jthread stopper([&] {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> pause(0, 150);
    for (std::size_t i = 0; i < rounds; ++i) {
      while (started.load() <= i) std::this_thread::yield();
      spinFor(std::chrono::microseconds(pause(random)));
      sources[i].requestStop();
    }
  });
  int cancelled = 0;
  int completed = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    // some expire at once, some about when the request comes, and some never
    const auto expiry =
        i % 7 == 0 ? std::chrono::microseconds(1h) : std::chrono::microseconds(i % 7 * 30 - 30);
    auto timer = std::make_unique<asio::steady_timer>(threads.context, expiry);
    Delivery<error_code> delivery;
    const auto wait = timer->async_wait(asContinuation);
    started = i + 1;
    if (i % 2)
      wait.onComplete(delivery.callback(), sources[i].token());
    else
      wait.onComplete(delivery.callback(), pool, sources[i].token());
    const Outcome<error_code>& outcome = delivery.outcome();
    timer.reset();
    CHECK_FALSE(outcome.hasError());
    ++(outcome.isCancelled() ? cancelled : completed);
    if (outcome.hasValue()) CHECK_FALSE(outcome.get());
    CHECK(delivery.count() == 1);
  }
  CHECK(cancelled > 0);
  CHECK(completed > 0);
}

TEST_CASE("an operation of many steps is cancelled at any moment") {
  constexpr int rounds = 1000;
  IoThreads threads(3);
  std::vector<char> sent(1 << 16);
  std::vector<char> received(1 << 16);
  std::mt19937 random(2);
  std::uniform_int_distribution<int> pause(0, 100);
  std::optional<Loopback> loopback;
  using Both = std::tuple<std::tuple<error_code, std::size_t>, std::tuple<error_code, std::size_t>>;
  for (int i = 0; i < rounds; ++i) {
    if (!loopback) loopback.emplace(threads.context.get_executor());
    const StopSource source;
    Delivery<Both> delivery;
    tuple2(parallel(asio::async_write(loopback->client, asio::buffer(sent), asContinuation)),
           parallel(asio::async_read(loopback->server, asio::buffer(received), asContinuation)))
        .onComplete(delivery.callback(), source.token());
    spinFor(std::chrono::microseconds(pause(random)));
    source.requestStop();
    const auto& outcome = delivery.outcome();
    CHECK_FALSE(outcome.hasError());
    if (outcome.isCancelled())
      loopback.reset();
    else
      CHECK(std::get<1>(std::get<1>(outcome.get())) == received.size());
  }
}

TEST_CASE("a context is destroyed while another thread cancels") {
  for (int i = 0; i < 500; ++i) {
    const StopSource source;
    Delivery<error_code> delivery;
    auto context = std::make_unique<asio::io_context>();
    auto timer = std::make_unique<asio::steady_timer>(*context, 1h);
    timer->async_wait(asContinuation).onComplete(delivery.callback(), source.token());
    std::jthread stopper([&] { source.requestStop(); });
    spinFor(std::chrono::nanoseconds(i * 100));
    context->poll();
    timer.reset();
    context.reset();
    CHECK((delivery.outcome().isCancelled() || delivery.outcome().hasValue() ||
           isError<BrokenCallback>(delivery.outcome().error())));
  }
}

TEST_CASE("blockingAwait in a run that continues in the handler of an operation is an error") {
  asio::io_context context;
  asio::steady_timer timer(context, 1ms);
  Delivery<bool> delivery;
  const auto mayWait = [] {
    try {
      return now(true).blockingAwait();
    } catch (const std::logic_error&) {
      return false;
    }
  };
  timer.async_wait(asContinuation).map([&](error_code) { return mayWait(); }).onComplete(delivery.callback());
  context.run();
  CHECK_FALSE(delivery.outcome().get());
  CHECK(mayWait());
}

TEST_CASE("a run whose operation dies with its context may wait, for it is in no handler") {
  std::optional<asio::io_context> context(std::in_place);
  std::optional<asio::steady_timer> timer(std::in_place, *context, 1h);
  Delivery<error_code> delivery;
  int waited = 0;
  ensure(timer->async_wait(asContinuation), delay([&] { waited = now(1).blockingAwait(); }))
      .onComplete(delivery.callback());
  timer.reset();
  context.reset();
  CHECK(delivery.count() == 1);
  CHECK(waited == 1);
}
