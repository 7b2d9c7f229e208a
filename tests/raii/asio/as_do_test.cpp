#include "tapestry/raii/asio/as_do.hpp"

#include <doctest/doctest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/sanitizers.hpp"
#include "support/system/loopback.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/async_run.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;
using boost::system::system_error;
using test::Delivery;
using test::IoThreads;
using test::isError;
using test::Loopback;

namespace {

/// An operation that gives its handler to the function.
template <class Signature, class F>
auto operation(F function) {
  return asio::async_initiate<const AsDo&, Signature>(
      [function](auto handler) { function(std::move(handler)); }, asDo);
}

template <class F>
error_code codeOf(const F& function) {
  try {
    function();
  } catch (const system_error& error) {
    return error.code();
  }
  return {};
}

}  // namespace

TEST_CASE("a leading error_code is taken out of the value") {
  IoThreads threads;
  asio::steady_timer timer(threads.context, 1ms);
  const Do<void> wait = timer.async_wait(asDo);
  CHECK_NOTHROW(wait.blockingAwait());
  const Do<int> one = operation<void(error_code, int)>([](auto handler) { handler(error_code(), 1); });
  CHECK(one.blockingAwait() == 1);
  const Do<std::tuple<int, char>> two =
      operation<void(error_code, int, char)>([](auto handler) { handler(error_code(), 1, 'a'); });
  CHECK(two.blockingAwait() == std::tuple(1, 'a'));
  const Do<int> plain = operation<void(int)>([](auto handler) { handler(2); });
  CHECK(plain.blockingAwait() == 2);
}

TEST_CASE("an error_code that is set is a system_error which handlers see") {
  const Do<int> failing =
      operation<void(error_code, int)>([](auto handler) { handler(asio::error::connection_reset, 1); });
  CHECK(codeOf([&] { failing.blockingAwait(); }) == asio::error::connection_reset);
  CHECK(failing.handleError([](const std::exception_ptr&) { return Do<int>::now(3); }).blockingAwait() == 3);
}

TEST_CASE("a leading exception_ptr is the error as it is") {
  using Signature = void(std::exception_ptr, int);
  const Do<int> failing = operation<Signature>(
      [](auto handler) { handler(std::make_exception_ptr(std::out_of_range("far")), 0); });
  CHECK_THROWS_AS(failing.blockingAwait(), std::out_of_range);
  CHECK(operation<Signature>([](auto handler) { handler(nullptr, 5); }).blockingAwait() == 5);
}

TEST_CASE("a coroutine is run as a Do") {
  asio::io_context context;
  const auto program = [&](int x) -> Do<int> {
    const auto coroutine = [x]() -> asio::awaitable<int> {
      asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
      co_await timer.async_wait(asio::use_awaitable);
      if (x < 0) throw std::out_of_range("negative");
      co_return x + 1;
    };
    return asio::co_spawn(context, coroutine, asDo);
  };
  Delivery<int> value;
  Delivery<int> error;
  program(1).onComplete(value.callback());
  program(-1).onComplete(error.callback());
  context.run();
  CHECK(value.outcome().get() == 2);
  CHECK(isError<std::out_of_range>(error.outcome().error()));
}

TEST_CASE("an exception at the start of the operation is an error") {
  const Do<void> throws = operation<void()>([](auto) { throw std::out_of_range("no"); });
  CHECK_THROWS_AS(throws.blockingAwait(), std::out_of_range);
}

TEST_CASE("a handler that is destroyed uncalled is the error BrokenCallback") {
  const Do<int> broken = operation<void(int)>([](auto) {});
  CHECK_THROWS_AS(broken.blockingAwait(), BrokenCallback);
  CHECK(broken.handleError([](const std::exception_ptr&) { return Do<int>::now(3); }).blockingAwait() == 3);
}

TEST_CASE("a wait that its owner aborts is an error and one whose run is stopped is cancelled") {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  int handled = 0;
  const Do<void> wait = timer.async_wait(asDo).handleError([&](const std::exception_ptr& error) {
    ++handled;
    return Do<void>::raiseError(error);
  });
  Delivery<void> aborted;
  wait.onComplete(aborted.callback());
  timer.cancel();
  context.run();
  CHECK(isError<system_error>(aborted.outcome().error()));
  CHECK(handled == 1);
  const StopSource source;
  Delivery<void> stopped;
  wait.onComplete(stopped.callback(), source.token());
  source.requestStop();
  context.restart();
  context.run();
  CHECK(stopped.outcome().isCancelled());
  CHECK(handled == 1);
}

TEST_CASE("an echo over loopback is read back and the end of the stream is an error") {
  IoThreads threads;
  Loopback loopback(threads.context.get_executor());
  std::string request(5, ' ');
  std::string reply(5, ' ');
  const auto server =
      asio::async_read(loopback.server, asio::buffer(request), asDo).flatMap([&](std::size_t n) {
        return asio::async_write(loopback.server, asio::buffer(request, n), asDo);
      });
  const auto client =
      asio::async_write(loopback.client, asio::buffer("hello", 5), asDo).flatMap([&](std::size_t) {
        return asio::async_read(loopback.client, asio::buffer(reply), asDo);
      });
  const std::tuple<std::size_t, std::size_t> both =
      tuple2(parallel(server), parallel(client)).blockingAwait();
  CHECK(both == std::tuple<std::size_t, std::size_t>(5, 5));
  CHECK(reply == "hello");
  loopback.server.close();
  CHECK(codeOf([&] { loopback.client.async_read_some(asio::buffer(reply), asDo).blockingAwait(); }) ==
        asio::error::eof);
}

TEST_CASE("a connection is accepted into the caller's socket and into a socket that the operation makes") {
  using tcp = asio::ip::tcp;
  IoThreads threads;
  tcp::acceptor acceptor(threads.context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  tcp::socket client(threads.context);
  tcp::socket server(threads.context);
  // a closed socket is opened where the operation is made, not where it is run
  const auto connect = [&] { return client.async_connect(acceptor.local_endpoint(), asDo); };
  tuple2(parallel(acceptor.async_accept(server, asDo)), parallel(connect())).blockingAwait();
  CHECK(server.remote_endpoint() == client.local_endpoint());
  client.close();
  auto [accepted, unit] = tuple2(parallel(acceptor.async_accept(asDo)), parallel(connect())).blockingAwait();
  CHECK(accepted.remote_endpoint() == client.local_endpoint());
}

TEST_CASE("a resolver finds a numeric host and refuses any other text") {
  IoThreads threads;
  using Resolver = asio::ip::tcp::resolver;
  Resolver resolver(threads.context);
  const Do<Resolver::results_type> found =
      resolver.async_resolve("127.0.0.1", "80", Resolver::numeric_host, asDo);
  CHECK(found.blockingAwait().begin()->endpoint().port() == 80);
  CHECK(codeOf(
      [&] { resolver.async_resolve("no number", "80", Resolver::numeric_host, asDo).blockingAwait(); }));
}

TEST_CASE("resources are released when an operation fails is cancelled or loses its context") {
  for (int how = 0; how < 3; ++how) {
    auto context = std::make_unique<asio::io_context>();
    auto timer = std::make_unique<asio::steady_timer>(*context, 1h);
    const StopSource source;
    Delivery<void> delivery;
    int acquired = 0;
    int released = 0;
    resource(Do<int>::delay([&] { return ++acquired; }), [&](int) {
      ++released;
    }).flatMap([&](int) {
        return timer->async_wait(asDo);
      }).onComplete(delivery.callback(), source.token());
    context->poll();
    CHECK(acquired == 1);
    CHECK(released == 0);
    if (how == 0) timer->cancel();
    if (how == 1) source.requestStop();
    context->restart();
    if (how < 2) context->run();
    timer.reset();
    context.reset();
    CHECK(released == 1);
    REQUIRE(delivery.count() == 1);
    CHECK(delivery.outcome().isCancelled() == (how == 1));
  }
}

TEST_CASE("releases run when the context that does the run's work is destroyed") {
  Delivery<void> delivery;
  int released = 0;
  auto context = std::make_unique<asio::io_context>();
  {
    AsioExecutor executor(*context);
    resource(Do<int>::now(1), [&](int) {
      ++released;
    }).flatMap([&](int) {
        return Do<void>::execute(executor, [] {});
      }).onComplete(delivery.callback());
    CHECK(delivery.count() == 0);
    context.reset();
  }
  CHECK(released == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
}

TEST_CASE("a Do is awaited in a coroutine and given to a future") {
  CHECK(asyncRun(Do<int>::now(7), asio::use_future).get() == 7);
  asio::io_context context;
  auto failing =
      asyncRun(Do<int>::raiseError(std::out_of_range("far")), asio::bind_executor(context, asio::use_future));
  asio::steady_timer timer(context, 1ms);
  const Do<int> program = timer.async_wait(asDo).map([] { return 1; });
  int sum = 0;
  bool caught = false;
  asio::co_spawn(
      context,
      [&]() -> asio::awaitable<void> {
        sum += co_await asyncRun(program, asio::use_awaitable);
        try {
          co_await asyncRun(Do<void>::raiseError(std::out_of_range("far")), asio::use_awaitable);
        } catch (const std::out_of_range&) {
          caught = true;
        }
      },
      [](const std::exception_ptr& error) { CHECK_FALSE(error); });
  context.run();
  CHECK(sum == 1);
  CHECK(caught);
  CHECK_THROWS_AS(failing.get(), std::out_of_range);
}

TEST_CASE("a Do gives a yield context its value or throws its error" * test::throwsOnFiber) {
  asio::io_context context;
  asio::steady_timer timer(context, 1ms);
  const Do<int> program = timer.async_wait(asDo).map([] { return 1; });
  const auto ended = Do<int>::raiseError(system_error(asio::error::eof));
  int sum = 0;
  asio::spawn(
      context,
      [&](asio::yield_context yield) {
        sum += asyncRun(program, yield);
        asyncRun(Do<void>::now(), yield);
        CHECK_THROWS_AS(asyncRun(Do<void>::raiseError(std::out_of_range("far")), yield), std::out_of_range);
        CHECK_THROWS_AS(asyncRun(Do<int>::raiseError(std::out_of_range("far")), yield), std::out_of_range);
        CHECK(codeOf([&] { asyncRun(ended, yield); }) == asio::error::eof);
        error_code code;
        CHECK(asyncRun(ended, yield[code]) == 0);
        CHECK(code == asio::error::eof);
        CHECK_THROWS_AS(asyncRun(Do<int>::raiseError(std::out_of_range("far")), yield[code]),
                        std::out_of_range);
        CHECK_FALSE(code);
        sum += 1;
      },
      [](const std::exception_ptr& error) { CHECK_FALSE(error); });
  context.run();
  CHECK(sum == 2);
}

TEST_CASE("a yield context throws the error of a Do itself, with its type, text and trace" *
          test::throwsOnFiber) {
  struct ReadError : system_error {
    ReadError() : system_error(asio::error::eof, "page 7") {}
  };
  asio::io_context context;
  const auto failing = Do<int>::raiseError(ReadError());
  int caught = 0;
  asio::spawn(
      context,
      [&](asio::yield_context yield) {
        for (const bool value : {true, false}) {
          try {
            if (value)
              asyncRun(failing, yield);
            else
              asyncRun(failing.map([](int) {}), yield);
          } catch (const ReadError& error) {
            CHECK(std::string(error.what()).starts_with("page 7"));
            CHECK_FALSE(traceOf(std::current_exception()).empty());
            ++caught;
          }
        }
      },
      [](const std::exception_ptr& error) { CHECK_FALSE(error); });
  context.run();
  CHECK(caught == 2);
}

TEST_CASE("a system_error without an error is thrown though a yield context has an error_code" *
          test::throwsOnFiber) {
  asio::io_context context;
  const auto failing = Do<int>::raiseError(system_error(error_code()));
  int caught = 0;
  asio::spawn(
      context,
      [&](asio::yield_context yield) {
        error_code code = asio::error::eof;
        CHECK_THROWS_AS(asyncRun(failing, yield[code]), system_error);
        CHECK_FALSE(code);
        CHECK_THROWS_AS(asyncRun(failing, yield), system_error);
        ++caught;
      },
      [](const std::exception_ptr& error) { CHECK_FALSE(error); });
  context.run();
  CHECK(caught == 1);
}

TEST_CASE("a Do that its handler's slot cancels is aborted after its releases") {
  asio::io_context context;
  asio::steady_timer timer(context, 1h);
  asio::cancellation_signal signal;
  std::vector<std::string> log;
  asyncRun(resource(Do<int>::now(1), [&](int) { log.push_back("release"); }).flatMap([&](int) {
    return timer.async_wait(asDo);
  }),
           asio::bind_cancellation_slot(signal.slot(),
                                        asio::bind_executor(context, [&](const std::exception_ptr& error) {
                                          CHECK(isError<system_error>(error));
                                          log.push_back("handler");
                                        })));
  context.poll();
  signal.emit(asio::cancellation_type::terminal);
  context.run();
  CHECK(log == std::vector<std::string>{"release", "handler"});
}
