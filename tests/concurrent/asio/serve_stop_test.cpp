#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/error_text.hpp"
#include "support/system/running_server.hpp"
#include "support/threads/within.hpp"
#include "tapestry/concurrent/asio/serve.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using test::answer;
using test::ask;
using test::outcomeText;
using test::receive;
using test::RunningServer;
using test::Told;

TEST_CASE("after a request to stop nothing is accepted, and a connection that is busy continues to its end") {
  RunningServer server;
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
  test::within(10s, [&] {
    tcp::socket(server.clients).connect(server.endpoint, refused);
    return refused == asio::error::connection_refused;
  });
  CHECK(refused == asio::error::connection_refused);
  CHECK(server.delivery.count() == 0);
  CHECK(ask(busy, 'd') == 'd');
  CHECK(outcomeText(server.delivery.outcome()) == "cancelled");
}

TEST_CASE("connections that continue when the time to drain is over are cancelled, and release") {
  RunningServer server;
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

TEST_CASE("errors of connections that are cancelled after the time to drain do not end the server") {
  RunningServer server;
  std::atomic<int> connections = 0;
  const Event bothBegan;
  Told told;
  server.start(
      [&](const Handle<tcp::socket>&) {
        const int number = ++connections;
        if (number == 2) bothBegan.set();
        const auto fails = [number] { throw std::runtime_error("release " + std::to_string(number)); };
        return resource(Do<void>::now(), fails).flatMap([] { return Event().wait(); });
      },
      {.drain = 10ms, .onError = told.listener()});
  auto first = server.connect(), second = server.connect();
  bothBegan.wait().blockingAwait();
  CHECK(server.stopAndWait() == "cancelled");
  CHECK(receive(first) == '-');
  auto texts = told.texts();
  std::ranges::sort(texts);
  CHECK(texts == std::vector<std::string>{"release 1", "release 2"});
}

TEST_CASE("an exception of onError fails the server, also if a connection continues past the time to drain") {
  RunningServer server;
  std::atomic<int> connections = 0, calls = 0;
  const Event bothBegan;
  server.start(
      [&](const Handle<tcp::socket>&, const Event& stops) {
        const auto after = [stops](auto time, auto end) {
          return mask(stops.wait()
                          .flatMap([time] { return Do<void>::lift(sleepFor(time)); })
                          .flatMap(std::move(end)));
        };
        if (++connections == 1) return after(5ms, []() -> Do<void> { throw std::runtime_error("handler"); });
        bothBegan.set();
        return after(100ms, [] { return Do<void>::now(); });
      },
      {.drain = 30ms, .onError = [&calls](const std::exception_ptr&) {
         if (++calls == 1) throw std::runtime_error("onError");
       }});
  auto first = server.connect(), second = server.connect();
  bothBegan.wait().blockingAwait();
  CHECK(server.stopAndWait() == "onError");
  CHECK(calls == 1);
}

TEST_CASE("a masked connection continues past the time to drain, and the server waits for its end") {
  RunningServer server;
  std::atomic<int> connections = 0;
  const Event began, bothBegan, finish;
  std::atomic<bool> finished = false;
  server.start(
      [&](const Handle<tcp::socket>& socket) {
        if (++connections == 2) {
          bothBegan.set();
          return Event().wait();
        }
        began.set();
        return mask(finish.wait().flatMap([socket] { return answer(socket); }).map([&] { finished = true; }));
      },
      {.drain = 10ms});
  auto masked = server.connect();
  began.wait().blockingAwait();
  auto other = server.connect();
  bothBegan.wait().blockingAwait();
  server.stop.requestStop();
  CHECK(receive(other) == '-');  // cancelled, so the time to drain is over
  CHECK(server.delivery.count() == 0);
  finish.set();
  CHECK(ask(masked, 'm') == 'm');
  CHECK(outcomeText(server.delivery.outcome()) == "cancelled");
  CHECK(finished);
}

TEST_CASE("an exception of onError ends the server, which fails with it") {
  RunningServer server;
  server.start([](const Handle<tcp::socket>&) { return Do<void>::raiseError("no"); },
               {.onError = [](const std::exception_ptr& error) { std::rethrow_exception(error); }});
  auto socket = server.connect();
  CHECK(outcomeText(server.delivery.outcome()) == "no");
  CHECK_FALSE(server.acceptor.is_open());
}
