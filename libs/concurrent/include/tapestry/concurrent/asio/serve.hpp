// Defines serve, a server in the standard shape; link tapestry::asio too.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/asio/detail/server.hpp"
#include "tapestry/concurrent/detail/check_serve.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

namespace tapestry {

struct ServeOptions {
  /// At most so many at once; while they are there the next one waits in the queue of the system.
  std::size_t connections = 100;
  /// How long the handler may take for a connection in all; nothing for as long as it wants. (A limit on its
  /// silence is the handler's: timeout(socket->async_read_some(buffer, asDo), 5s).)
  std::optional<Clock::Duration> timeout = {};
  /// How long connections may go on after a request to stop.
  Clock::Duration drain = std::chrono::seconds(5);
  /// Gets the error of a connection, such as TimeoutError, and of an accept that is tried again, on whatever
  /// thread it happens. What it throws ends the server, which fails with it.
  std::function<void(const std::exception_ptr&)> onError = detail::WriteServerError();
};

/// Accepts connections on the acceptor, which listens, until it is asked to stop, and calls
/// handler(Handle<Socket>) for each, or handler(Handle<Socket>, const Event& stopping): the Do<void> that it
/// returns runs beside the others, and the socket is closed at its end. For any stream protocol, such as
/// tcp and local::stream_protocol.
///
///     serve(acceptor, [](const Handle<tcp::socket>& socket) { return echo(socket); }, {.timeout = 30s})
///
/// The error of a connection does not end the server: it is given to onError, which unless set otherwise
/// writes it to stderr, but not that the peer has closed or reset the connection. Where an accept fails, as
/// with EMFILE for want of file descriptors, the next one is tried 100 ms later; where the acceptor itself is
/// unfit, since somebody has closed it or it does not listen, the server fails when its connections have
/// ended.
///
/// After a request to stop it sets `stopping`, by which a handler may end a connection that is idle, closes
/// the acceptor, and lets the connections go on; those that have not ended when the time to drain is over are
/// cancelled. It completes as cancelled when all have released what they acquired. The acceptor must
/// outlive the run, and be used by nobody else meanwhile. Throws std::invalid_argument for no connections,
/// and for times below 0.
template <detail::Acceptor A, detail::HandlerFor<A> F>
[[nodiscard("a program does nothing until it is run")]] Do<void> serve(
    A& acceptor, F handler, ServeOptions options = {},
    detail::Location location = detail::Location::current()) {
  detail::checkServe(options.connections, options.timeout, options.drain);
  using Server = detail::Server<A, F, ServeOptions>;
  return Do<void>::suspend(
      [&acceptor,
       shared = std::make_shared<const std::pair<F, ServeOptions>>(std::move(handler), std::move(options)),
       location] { return Server::serve(detail::makeRef<Server>(acceptor, shared, location)); },
      location);
}

// The handler returns a Do<void>, and takes a Handle of the acceptor's socket, at most a const Event& beside.
void serve(...) = delete;  // expected an acceptor, which is no temporary, a handler, at most ServeOptions

}  // namespace tapestry
