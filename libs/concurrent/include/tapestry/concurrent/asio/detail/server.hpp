// Defines Server, one run of serve, and the requirements of serve on an acceptor and a handler.
#pragma once

#include <atomic>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/detail/for_each_part.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop_callback.hpp"
#include "tapestry/continuation/stop_token.hpp"
#include "tapestry/raii/asio/as_do.hpp"
#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/timeout.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
using SocketOf =
    typename A::protocol_type::socket::template rebind_executor<typename A::executor_type>::other;

template <class A>
concept Acceptor = requires(A& acceptor) {
  typename SocketOf<A>;
  acceptor.async_accept(asDo);
};

template <class F, class A>
concept HandlerFor = std::is_invocable_r_v<Do<void>, const F&, const Handle<SocketOf<A>>&> ||
                     std::is_invocable_r_v<Do<void>, const F&, const Handle<SocketOf<A>>&, const Event&>;

/// The code of an error of Asio, or success.
inline boost::system::error_code codeOf(const std::exception_ptr& error) noexcept {
  const auto* const failed = errorAs<boost::system::system_error>(error);
  return failed ? failed->code() : boost::system::error_code();
}

/// Writes an error to stderr, unless the peer has ended the connection.
struct WriteServerError {
  void operator()(const std::exception_ptr& error) const {
    namespace errors = boost::asio::error;
    const auto code = codeOf(error);
    if (code == errors::eof || code == errors::connection_reset || code == errors::broken_pipe) return;
    std::cerr << "tapestry::serve: " + describe(error) + '\n' << std::flush;
  }
};

/// Whether the next accept would fail too.
inline bool isForGood(const std::exception_ptr& error) noexcept {
  namespace errors = boost::asio::error;
  const auto code = codeOf(error);
  return !code || code == errors::bad_descriptor || code == errors::invalid_argument ||
         code == errors::not_socket || code == errors::operation_aborted;
}

template <class A, class F, class Options>
class Server final : public Node {
  using Socket = SocketOf<A>;
  using Given = std::pair<F, Options>;
  using Self = Ref<Server>;

 public:
  Server(A& acceptor, std::shared_ptr<const Given> given, Location location)
      : acceptor_(acceptor), given_(std::move(given)), location_(location) {}

  /// A request to stop the run sets `stopping`; otherwise the run is masked, so that connections may end.
  static Do<void> serve(const Self& self) {
    const auto serving =
        Supervisor::scoped({}, self->location_)
            .flatMap([self](const Supervisor& timers) {
              const auto body = [self, timers](const Supervisor& connections) {
                return accepting(self, connections, timers);
              };
              return supervised(body, {SupervisorOptions::OnExit::join, SupervisorOptions::OnError::failFast},
                                self->location_);
            })
            .run()
            .handleError([self](const std::exception_ptr& error) {
              // connections that are cancelled after the time to drain do not end the server either
              if (!self->drained_ || self->onErrorThrew_) return Do<void>::raiseError(error);
              forEachPart(error, self->options().onError);
              return Do<void>::now();
            })
            .map([self] {
              if (self->acceptError_) std::rethrow_exception(self->acceptError_);
            });
    return Do<StopToken>::lift(UnitContinuation<StopToken>(stopToken()))
        .flatMap([self, serving](const StopToken& token) {
          const auto setStopping = [stopping = self->stopping_] { stopping.set(); };
          using Listening = StopCallback<decltype(setStopping)>;
          const auto listening =
              scoped([token, setStopping] { return std::make_unique<Listening>(token, setStopping); });
          return mask(listening.flatMap([serving](const auto&) { return serving; }).run());
        });
  }

 private:
  /// Ends with a request to stop, or with an accept that fails. The connections may continue for the time to
  /// drain.
  static Do<void> accepting(const Self& self, const Supervisor& connections, const Supervisor& timers) {
    const auto closing = Do<void>::delay([self] {
      boost::system::error_code ignored;
      self->acceptor_.close(ignored);
    });
    const auto untilStopping =
        race(acceptAll(self, connections).attempt(), self->stopping_.wait(self->location_), self->location_);
    const auto cancelling = sleepFor(self->options().drain, self->location_).map([self, connections] {
      self->drained_ = true;
      connections.requestStop();
    });
    return ensure(untilStopping, closing)
        .flatMap([self, timer = timers.spawn(Do<void>::lift(cancelling))](
                     const std::variant<Try<void>, Unit>& ended) {
          if (ended.index() == 0) self->acceptError_ = std::get<0>(ended).error();
          return timer.map([](const tapestry::Task<void>&) {});
        });
  }

  static Do<void> acceptAll(const Self& self, const Supervisor& supervisor) {
    return self->busy_.send(Unit{}, self->location_)
        .flatMap([self] { return acceptOne(self); })
        .flatMap([self, supervisor](Socket socket) {
          return supervisor.spawn(connection(self, std::move(socket)), "connection", self->location_);
        })
        .flatMap([self, supervisor](const tapestry::Task<void>&) { return acceptAll(self, supervisor); });
  }

  static Do<Socket> acceptOne(const Self& self) {
    return self->acceptor_.async_accept(asDo(self->location_))
        .handleError([self](const std::exception_ptr& error) {
          if (isForGood(error)) return Do<Socket>::raiseError(error);
          self->report(error);
          return Do<void>::lift(sleepFor(std::chrono::milliseconds(100), self->location_)).flatMap([self] {
            return acceptOne(self);
          });
        });
  }

  static Do<void> connection(const Self& self, Socket accepted) {
    const auto socket = std::make_shared<Socket>(std::move(accepted));
    Do<void> handled = scoped([socket] {
                         return std::move(*socket);
                       }).flatMap([self](const Handle<Socket>& handle) {
                           return self->handle(handle);
                         }).run();
    if (self->options().timeout) handled = timeout(handled, *self->options().timeout, self->location_);
    // a handler that throws Cancelled ends its connection; a release of it may have failed too
    const auto reporting = handled.attempt().map([self](const Try<void>& ended) {
      if (const std::exception_ptr error = withoutCancelled(ended.error())) self->report(error);
    });
    return ensure(reporting, Do<void>::delay([self] { self->busy_.tryReceive(); }));
  }

  Do<void> handle(const Handle<Socket>& socket) const {
    if constexpr (std::is_invocable_v<const F&, const Handle<Socket>&>)
      return given_->first(socket);
    else
      return given_->first(socket, stopping_);
  }

  void report(const std::exception_ptr& error) {
    try {
      options().onError(error);
    } catch (...) {
      onErrorThrew_ = true;
      throw;
    }
  }

  const Options& options() const noexcept { return given_->second; }

  A& acceptor_;
  const std::shared_ptr<const Given> given_;
  const Location location_;
  const Event stopping_;
  std::atomic<bool> drained_{false};  ///< whether the time to drain is over
  std::atomic<bool> onErrorThrew_{false};
  std::exception_ptr acceptError_;  ///< of the accept that has failed; null unless the acceptor is unusable
  /// Has an item for each connection.
  const Channel<Unit> busy_{capacityOf(options().connections)};
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
