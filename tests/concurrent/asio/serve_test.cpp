#include "tapestry/concurrent/asio/serve.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/system/child_process.hpp"
#include "support/system/running_server.hpp"
#include "support/system/temporary_directory.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using test::answer;
using test::ask;
using test::errorOf;
using test::outcomeText;
using test::receive;
using test::RunningServer;
using test::send;
using test::Told;

TEST_CASE("each connection is served, on one thread or several, and closed at the end of its handler") {
  for (const int threads : {1, 2}) {
    RunningServer server(threads);
    server.start(answer<tcp::socket>);
    std::vector<tcp::socket> sockets;
    for (int i = 0; i < 20; ++i) sockets.push_back(server.connect());
    for (auto& socket : sockets) CHECK(ask(socket, 'a') == 'a');
    for (auto& socket : sockets) CHECK(receive(socket) == '-');
    CHECK(server.stopAndWait() == "cancelled");
  }
}

TEST_CASE("no more connections are served at once than are allowed") {
  RunningServer server;
  std::atomic<int> busy = 0, most = 0;
  const auto handler = [&](const Handle<tcp::socket>& socket) {
    return resource(Do<void>::delay([&] { most = std::max(most.load(), ++busy); }), [&] { --busy; })
        .flatMap([socket] { return answer(socket); });
  };
  server.start(handler, {.connections = 2});
  std::vector<tcp::socket> sockets;
  for (int i = 0; i < 6; ++i) sockets.push_back(server.connect());
  for (auto& socket : sockets) send(socket, 'b');
  for (auto& socket : sockets) CHECK(receive(socket) == 'b');
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(most <= 2);
  CHECK(busy == 0);
}

TEST_CASE("a connection that waits for its turn is not accepted before") {
  RunningServer server;
  std::atomic<int> accepted = 0;
  server.start(
      [&](const Handle<tcp::socket>& socket) {
        ++accepted;
        return answer(socket);
      },
      {.connections = 1});
  auto first = server.connect();
  while (accepted == 0) std::this_thread::sleep_for(1ms);
  auto second = server.connect();
  send(second, 's');
  std::this_thread::sleep_for(20ms);
  CHECK(accepted == 1);
  CHECK(ask(first, 'f') == 'f');
  CHECK(receive(second) == 's');
  CHECK(server.stopAndWait() == "cancelled");
}

TEST_CASE("errors of connections are reported, and the server continues") {
  RunningServer server;
  Told told;
  server.start(
      [](const Handle<tcp::socket>& socket) {
        return answer(socket).flatMap([] { return Do<void>::raiseError("no"); });
      },
      {.onError = told.listener()});
  for (int i = 0; i < 3; ++i) {
    auto socket = server.connect();
    CHECK(ask(socket, 'c') == 'c');
    CHECK(receive(socket) == '-');
  }
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(told.texts() == std::vector<std::string>(3, "no"));
}

TEST_CASE("an exception of a handler, and a handler that cancels itself, end one connection only") {
  RunningServer server;
  Told told;
  std::atomic<bool> cancels = false;
  server.start(
      [&](const Handle<tcp::socket>&) -> Do<void> {
        if (cancels.exchange(true)) return Do<void>::delay([] { throw Cancelled(); });
        throw std::runtime_error("thrown");
      },
      {.connections = 1, .onError = told.listener()});
  for (int i = 0; i < 3; ++i) {
    auto socket = server.connect();
    CHECK(receive(socket) == '-');
  }
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(told.texts() == std::vector<std::string>{"thrown"});
}

TEST_CASE("a handler that throws Cancelled, and a release of which fails, ends one connection only") {
  RunningServer server;
  Told told;
  server.start(
      [](const Handle<tcp::socket>&) {
        return resource(Do<void>::now(), [] { throw std::runtime_error("release"); }).map([] {
          throw Cancelled();
        });
      },
      {.connections = 1, .onError = told.listener()});
  for (int i = 0; i < 2; ++i) {
    auto socket = server.connect();
    CHECK(receive(socket) == '-');
  }
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(told.texts() == std::vector<std::string>(2, "release"));
}

TEST_CASE("a connection that takes longer than its timeout is closed") {
  RunningServer server;
  Told told;
  server.start(answer<tcp::socket>, {.timeout = 10ms, .onError = told.listener()});
  auto silent = server.connect();
  CHECK(receive(silent) == '-');
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(told.texts() == std::vector<std::string>{TimeoutError().what()});
}

TEST_CASE("the trace of a connection that is too late names the call of serve") {
  RunningServer server;
  std::promise<Trace> told;
  server.start(answer<tcp::socket>, {.timeout = 10ms, .onError = [&](const std::exception_ptr& error) {
                                       told.set_value(traceOf(error));
                                     }});
  auto silent = server.connect();
  CHECK(receive(silent) == '-');
  const auto places = told.get_future().get().places;
  REQUIRE(!places.empty());
  CHECK(places.front().operation == std::string("timeout"));
  CHECK(std::string(places.front().location.file_name()).ends_with("running_server.hpp"));
  CHECK(server.stopAndWait() == "cancelled");
}

TEST_CASE("an acceptor that is closed, or does not listen, fails the server") {
  for (const bool open : {false, true}) {
    RunningServer server;
    Told told;
    server.acceptor.close();
    if (open) server.acceptor.open(tcp::v4());
    server.start(answer<tcp::socket>, {.onError = told.listener()});
    CHECK(server.delivery.outcome().hasError());
    CHECK(told.texts().empty());
  }
}

TEST_CASE("without free file descriptors the server waits, and then continues") {
  if (test::underAddressSanitizer) return;  // run with a sanitizer of undefined behavior, which opens pipes
  const auto ending = test::inChild([] {
    RunningServer server;
    Told told;
    auto socket = server.connect();
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit none{3, limit.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    server.start(answer<tcp::socket>, {.onError = told.listener()});
    told.waitForOne();
    ::setrlimit(RLIMIT_NOFILE, &limit);
    std::_Exit(ask(socket, 'e') == 'e' && server.stopAndWait() == "cancelled" ? 7 : 8);
  });
  CHECK(WEXITSTATUS(ending.status) == 7);
  CHECK(ending.text.empty());
}

TEST_CASE("a server of local sockets") {
  using Local = asio::local::stream_protocol;
  const test::TemporaryDirectory directory;
  const Local::endpoint endpoint(directory / "socket");
  test::IoThreads io;
  AsioExecutor executor(io.context);
  Local::acceptor acceptor(io.context, endpoint);
  const StopSource stop;
  test::Delivery<void> delivery;
  serve(acceptor, answer<Local::socket>).onComplete(delivery.callback(), executor, stop.token());
  asio::io_context clients;
  Local::socket socket(clients);
  socket.connect(endpoint);
  CHECK(ask(socket, 'g') == 'g');
  stop.requestStop();
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
}

TEST_CASE("errors are written unless the peer has ended the connection") {
  const auto write = [](auto error) {
    return test::inChild([&] { ServeOptions().onError(std::make_exception_ptr(error)); }).text;
  };
  CHECK(write(std::runtime_error("no")) == "tapestry::serve: no\n");
  CHECK(write(boost::system::system_error(asio::error::eof)).empty());
  CHECK(write(boost::system::system_error(asio::error::connection_reset)).empty());
}

TEST_CASE("wrong options and wrong calls are refused") {
  asio::io_context context;
  tcp::acceptor acceptor(context);
  const auto refused = [&](ServeOptions options) {
    return errorOf([&] { return serve(acceptor, answer<tcp::socket>, std::move(options)); });
  };
  CHECK(refused({.connections = 0}) ==
        "tapestry::serve: the number of connections is 0, expected at least 1");
  CHECK(refused({.timeout = -1ns}) == "tapestry::serve: the timeout is -1 ns, expected at least 0");
  CHECK(refused({.drain = -2ns}) == "tapestry::serve: the time to drain is -2 ns, expected at least 0");

  using Handler = Do<void> (*)(const Handle<tcp::socket>&);
  static_assert(TAPESTRY_CALLABLE(serve, tcp::acceptor&, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::acceptor, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::socket&, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::acceptor&, void (*)(const Handle<tcp::socket>&)));
}
