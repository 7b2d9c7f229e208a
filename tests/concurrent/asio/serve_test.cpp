#include "tapestry/concurrent/asio/serve.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/callable.hpp"
#include "support/child_process.hpp"
#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/io_threads.hpp"
#include "support/temporary_directory.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using test::errorOf;
using test::errorText;
using test::outcomeText;

namespace {

/// Sends one letter back.
template <class Socket>
Do<void> answer(const Handle<Socket>& socket) {
  const auto letter = std::make_shared<char>();
  return asio::async_read(*socket, asio::buffer(letter.get(), 1), asDo)
      .flatMap([=](std::size_t) { return asio::async_write(*socket, asio::buffer(letter.get(), 1), asDo); })
      .map([socket, letter](std::size_t) {});
}

/// The errors that a server tells.
class Told {
 public:
  auto listener() {
    return [this](const std::exception_ptr& error) {
      const std::lock_guard lock(mutex_);
      texts_.push_back(errorText(error));
    };
  }
  std::vector<std::string> texts() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }
  void waitForOne() const {
    while (texts().empty()) std::this_thread::sleep_for(1ms);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

/// A server on threads, and its clients on this one.
struct Running {
  explicit Running(int threads = 1) : io(threads) {}

  template <class F>
  void start(F handler, ServeOptions options = {}) {
    serve(acceptor, std::move(handler), std::move(options))
        .onComplete(delivery.callback(), executor, stop.token());
  }
  tcp::socket connect() {
    tcp::socket socket(clients);
    socket.connect(endpoint);
    return socket;
  }
  std::string stopAndWait() {
    stop.requestStop();
    return outcomeText(delivery.outcome());
  }

  test::IoThreads io;
  AsioExecutor executor{io.context};
  tcp::acceptor acceptor{io.context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  const tcp::endpoint endpoint = acceptor.local_endpoint();
  asio::io_context clients;
  const StopSource stop;
  test::Delivery<void> delivery;
};

template <class Socket>
void send(Socket& socket, char letter) {
  asio::write(socket, asio::buffer(&letter, 1));
}
/// What comes, or '-' at the end of the connection.
template <class Socket>
char receive(Socket& socket) {
  char letter = 0;
  boost::system::error_code error;
  asio::read(socket, asio::buffer(&letter, 1), error);
  return error ? '-' : letter;
}
template <class Socket>
char ask(Socket& socket, char letter) {
  send(socket, letter);
  return receive(socket);
}

}  // namespace

TEST_CASE("each connection is served, on one thread or several, and closed at the end of its handler") {
  for (const int threads : {1, 2}) {
    Running server(threads);
    server.start(answer<tcp::socket>);
    std::vector<tcp::socket> sockets;
    for (int i = 0; i < 20; ++i) sockets.push_back(server.connect());
    for (auto& socket : sockets) CHECK(ask(socket, 'a') == 'a');
    for (auto& socket : sockets) CHECK(receive(socket) == '-');
    CHECK(server.stopAndWait() == "cancelled");
  }
}

TEST_CASE("so many connections are served at once as are allowed") {
  Running server;
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
  Running server;
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

TEST_CASE("errors of connections are told, and the server goes on") {
  Running server;
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

TEST_CASE("what a handler throws, and a handler that cancels itself, end one connection only") {
  Running server;
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

TEST_CASE("a connection that takes longer than its timeout is closed") {
  Running server;
  Told told;
  server.start(answer<tcp::socket>, {.timeout = 10ms, .onError = told.listener()});
  auto silent = server.connect();
  CHECK(receive(silent) == '-');
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(told.texts() == std::vector<std::string>{TimeoutError().what()});
}

TEST_CASE("after a request to stop nothing is accepted, and a connection that is busy goes on to its end") {
  Running server;
  const Event began, stopping;
  server.start([=](const Handle<tcp::socket>& socket, const Event& stops) {
    began.set();
    return stops.wait().flatMap([=] {
      stopping.set();
      return answer(socket);
    });
  });
  auto busy = server.connect();
  began.wait().blockingAwait();
  server.stop.requestStop();
  stopping.wait().blockingAwait();
  boost::system::error_code refused;
  // the acceptor is closed at about the same time as the event is set
  for (int i = 0; i < 1000 && refused != asio::error::connection_refused; ++i) {
    tcp::socket(server.clients).connect(server.endpoint, refused);
    std::this_thread::sleep_for(1ms);
  }
  CHECK(refused == asio::error::connection_refused);
  CHECK(server.delivery.count() == 0);
  CHECK(ask(busy, 'd') == 'd');
  CHECK(outcomeText(server.delivery.outcome()) == "cancelled");
}

TEST_CASE("connections that go on when the time to drain is over are cancelled, and release") {
  Running server;
  std::atomic<int> held = 0;
  const Event began;
  Told told;
  server.start(
      [&](const Handle<tcp::socket>&) {
        return resource(Do<void>::delay([&] { ++held; }), [&] { --held; }).flatMap([began] {
          began.set();
          return Event().wait();
        });
      },
      {.drain = 10ms, .onError = told.listener()});
  auto socket = server.connect();
  began.wait().blockingAwait();
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(held == 0);
  CHECK(receive(socket) == '-');
  CHECK(told.texts().empty());
}

TEST_CASE("what onError throws ends the server, which fails with it") {
  Running server;
  server.start([](const Handle<tcp::socket>&) { return Do<void>::raiseError("no"); },
               {.onError = [](const std::exception_ptr& error) { std::rethrow_exception(error); }});
  auto socket = server.connect();
  CHECK(outcomeText(server.delivery.outcome()) == "no");
  CHECK_FALSE(server.acceptor.is_open());
}

TEST_CASE("an acceptor that does not listen, or is closed, fails the server") {
  Running server;
  Told told;
  server.acceptor.close();
  server.start(answer<tcp::socket>, {.onError = told.listener()});
  CHECK(server.delivery.outcome().hasError());
  CHECK(told.texts().empty());
}

TEST_CASE("for want of file descriptors the server waits, and goes on") {
  const auto ending = test::inChild([] {
    Running server;
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
        "tapestry::serve: there are no connections, got 0, expected at least 1");
  CHECK(refused({.timeout = -1ns}) ==
        "tapestry::serve: the timeout is below 0, got -1 ns, expected at least 0");
  CHECK(refused({.drain = -2ns}) ==
        "tapestry::serve: the time to drain is below 0, got -2 ns, expected at least 0");

  using Handler = Do<void> (*)(const Handle<tcp::socket>&);
  static_assert(TAPESTRY_CALLABLE(serve, tcp::acceptor&, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::acceptor, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::socket&, Handler));
  static_assert(!TAPESTRY_CALLABLE(serve, tcp::acceptor&, void (*)(const Handle<tcp::socket>&)));
}
