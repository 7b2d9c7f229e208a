#include "digit_server/connection.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <iostream>
#include <tapestry/asio.hpp>
#include <tapestry/continuation/monad/trace.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/race.hpp>
#include <tapestry/raii/timeout.hpp>

namespace tapestry::examples {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

/// In direct style, as all below: sends the bytes, most often at once, else within the time limit.
void send(Socket& socket, std::string_view bytes, Clock::Duration limit) {
  boost::system::error_code error;
  const std::size_t sent = socket.write_some(asio::buffer(bytes), error);
  if (error && error != asio::error::would_block) throw boost::system::system_error(error);
  if (sent < bytes.size()) !timeout(asio::async_write(socket, asio::buffer(bytes.substr(sent)), asDo), limit);
}

/// Reads until the peer has closed its side, for a connection that is closed with unread data is reset, and
/// the peer may then not see the answer.
void closeGently(Socket& socket) {
  boost::system::error_code ignored;
  socket.shutdown(Socket::shutdown_send, ignored);
  const auto rest = direct<Do>([&socket] {
    std::array<char, 4096> unread;
    for (;;) !socket.async_read_some(asio::buffer(unread), asDo);
  });
  static_cast<void>(!timeout(rest, 1s).attempt());
}

/// The curve so far, then each new point, until the peer closes the connection or `stopping` is set.
void sendEvents(Service& service, const Limits& limits, Socket& socket, const Event& stopping) {
  send(socket,
       "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: "
       "close\r\n\r\n",
       limits.request);
  const auto tell = direct<Do>([&] {
    const auto events = !service.curve.events().subscribe();
    send(socket, service.curve.history(), limits.request);
    for (;;) send(socket, !events.receive(), limits.request);
  });
  std::array<char, 256> ignored;
  const auto hear = socket.async_read_some(asio::buffer(ignored), asDo).map([](std::size_t) {});
  static_cast<void>(!race(tell.attempt(), hear.attempt(), stopping.wait()));
}

Do<Response> orRefusal(const Do<Response>& response) {
  return response.handleError([](const std::exception_ptr& error) {
    if (const auto* refusal = errorAs<HttpError>(error)) return Do<Response>::now(refusal->response());
    std::cerr << "digit_server: " + describe(error) + '\n' << std::flush;
    return Do<Response>::now(HttpError(Status::internal_server_error, "the server has failed").response());
  });
}

void converse(Service& service, const Limits& limits, const Handle<Socket>& socket, const Event& stopping) {
  RequestReader reader(socket, limits);
  while (const auto request = reader.next(stopping)) {
    const auto begun = std::chrono::steady_clock::now();
    const std::string_view route = Service::routeOf(*request);
    const Response response = !orRefusal(service.respond(*request));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    service.metrics.answered(route, response.status, took.count());
    const Framing framing = framingFor(*request, !request->keep_alive() || stopping.isSet());
    if (route == "/events" && response.status == Status::ok && framing.withBody)
      return sendEvents(service, limits, *socket, stopping);
    send(*socket, toBytes(response, framing), limits.request);
    if (framing.last) return closeGently(*socket);
  }
}

void refuse(Service& service, const Limits& limits, Socket& socket, const HttpError& error) {
  service.metrics.answered("none", error.status(), 0);
  send(socket, toBytes(error.response(), {.last = true}), limits.request);
  closeGently(socket);
}

}  // namespace

Do<void> attend(Service& service, const Limits& limits, const Semaphore& places, const Handle<Socket>& socket,
                const Event& stopping) {
  return direct<Do>([&service, &limits, places, socket, stopping] {
    socket->non_blocking(true);
    socket->set_option(tcp::no_delay(true));
    const bool admitted = !places.tryPermit();
    if (!admitted) {
      ++service.metrics.refused;
      const HttpError error(Status::service_unavailable, "too many connections", "Retry-After: 1\r\n");
      return refuse(service, limits, *socket, error);
    }
    const ConnectionCount counted(service.metrics);
    try {
      converse(service, limits, socket, stopping);
    } catch (const HttpError& error) {
      refuse(service, limits, *socket, error);
    }
  });
}

}  // namespace tapestry::examples
