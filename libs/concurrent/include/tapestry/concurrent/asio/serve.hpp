// Defines serve, a server in the standard shape; link tapestry::asio too.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/concurrent/asio/detail/server.hpp"
#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct ServeOptions {
  /// The maximum number of connections at once; further connections wait in the queue of the system.
  std::size_t connections = 100;
  /// The time limit of the handler for a connection in all; empty for none. (A limit on silence is left to
  /// the handler: timeout(socket->async_read_some(buffer, asDo), 5s).)
  std::optional<Clock::Duration> timeout = {};
  /// The time that connections may continue after a request to stop.
  Clock::Duration drain = std::chrono::seconds(5);
  /// Called with the error of a connection, such as TimeoutError, and of an accept that is tried again, on
  /// the thread where it occurs, and with those of cancelled connections, at the end of the server. An
  /// exception from it ends the server, which fails with it.
  std::function<void(const std::exception_ptr&)> onError = detail::WriteServerError();
};

/// Accepts connections on the acceptor, which listens, until the run is asked to stop, and calls
/// handler(Handle<Socket>), or handler(Handle<Socket>, const Event& stopping), for each: the Do<void> that it
/// returns runs beside the others, and the socket is closed at its end. For any stream protocol, such as tcp
/// and local::stream_protocol.
///
///     serve(acceptor, [](const Handle<tcp::socket>& socket) { return echo(socket); }, {.timeout = 30s})
///
/// The error of a connection does not end the server: it is passed to onError, which by default writes it to
/// stderr, unless the peer has closed or reset the connection. If an accept fails, as with EMFILE for want of
/// file descriptors, the next accept is tried 100 ms later. If the acceptor itself is unusable, because it
/// was closed or does not listen, the server fails when its connections have ended; connections that have not
/// ended after the time `drain` are cancelled.
///
/// After a request to stop the server sets `stopping`, by which a handler may end an idle connection, closes
/// the acceptor, and lets the connections continue; connections that have not ended after the time `drain`
/// are cancelled. The server completes as cancelled when all have released their resources. The acceptor must
/// outlive the run, and must not be used elsewhere meanwhile. Throws std::invalid_argument for no
/// connections, and for times below 0.
template <detail::Acceptor A, detail::HandlerFor<A> F>
[[nodiscard("a program does nothing until it is run")]] Do<void> serve(
    A& acceptor, F handler, ServeOptions options = {},
    detail::Location location = detail::Location::current()) {
  detail::positive(options.connections, "serve", "the number of connections");
  if (options.timeout) detail::notNegative(*options.timeout, "serve", "the timeout");
  detail::notNegative(options.drain, "serve", "the time to drain");
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
#pragma GCC visibility pop
