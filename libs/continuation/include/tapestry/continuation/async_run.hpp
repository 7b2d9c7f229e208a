// Defines asyncRun, which starts a run of a program with any completion token of Boost.Asio.
#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/stop.hpp"

namespace tapestry {

namespace detail {

/// A UnitContinuation, or a Do.
template <class P>
concept Startable = requires(const P& program, void (*callback)(Outcome<typename P::ValueType>)) {
  program.onComplete(callback, StopToken());
};

template <class A>
struct RunSignatureOf {
  using Type = void(std::exception_ptr, A);
};
template <>
struct RunSignatureOf<void> {
  using Type = void(std::exception_ptr);
};
template <class A>
using RunSignature = typename RunSignatureOf<A>::Type;

/// Null for a value.
template <class A>
std::exception_ptr asioErrorOf(const Outcome<A>& outcome) {
  if (!outcome.isCancelled()) return outcome.error();
  return std::make_exception_ptr(boost::system::system_error(boost::asio::error::operation_aborted));
}

/// Posts the handler to its executor with the outcome, and keeps that executor at work until then.
template <class A, class Handler>
class HandlerCallback {
 public:
  explicit HandlerCallback(Handler handler)
      : work_(boost::asio::get_associated_executor(handler)), handler_(std::move(handler)) {}

  void operator()(Outcome<A> outcome) {
    auto call = [handler = std::move(handler_), outcome = std::move(outcome)]() mutable {
      const std::exception_ptr error = asioErrorOf(outcome);
      if constexpr (std::is_void_v<A>)
        std::move(handler)(error);
      else
        std::move(handler)(error, error ? A() : std::move(outcome.get()));
    };
    boost::asio::post(work_.get_executor(), std::move(call));
  }

 private:
  boost::asio::executor_work_guard<boost::asio::associated_executor_t<Handler>> work_;
  Handler handler_;
};

/// What Asio calls with the handler that it has made of a completion token.
template <class P>
class StartRun {
  using A = typename P::ValueType;

 public:
  StartRun(P program, Executor* executor) : program_(std::move(program)), executor_(executor) {}

  template <class Handler>
  void operator()(Handler&& handler) const {
    const StopToken token = stopBy(boost::asio::get_associated_cancellation_slot(handler));
    HandlerCallback<A, std::decay_t<Handler>> callback(std::forward<Handler>(handler));
    if (executor_)
      program_.onComplete(std::move(callback), *executor_, token);
    else
      program_.onComplete(std::move(callback), token);
  }

 private:
  template <class Slot>
  static StopToken stopBy(Slot slot) {
    if (!slot.is_connected()) return {};
    const StopSource source;
    slot.assign([source](boost::asio::cancellation_type type) {
      const StopSource kept = source;  // for the run that ends now may clear the slot
      if (type != boost::asio::cancellation_type::none) kept.requestStop();
    });
    return source.token();
  }

  P program_;
  Executor* executor_;
};

/// A handler gets a value also beside an error.
template <class P>
inline constexpr bool madeOfNothing =
    std::is_void_v<typename P::ValueType> || std::default_initializable<Stored<typename P::ValueType>>;

template <class P, class Token>
auto startRun(P program, Executor* executor, Token&& token) {
  if constexpr (madeOfNothing<P>)
    return boost::asio::async_initiate<Token, RunSignature<typename P::ValueType>>(
        StartRun<P>(std::move(program), executor), token);
  else
    return program;  // a static_assert has said it all
}

}  // namespace detail

/// Runs the program, a UnitContinuation or a Do, as an asynchronous operation of Asio with the signature
/// void(std::exception_ptr, A), or void(std::exception_ptr) where A is void: `co_await asyncRun(program,
/// use_awaitable)` and `asyncRun(program, use_future).get()` give the value or throw the error; a cancelled
/// run is a boost::system::system_error of operation_aborted. The run works on the calling thread until it
/// suspends. The handler is posted to its associated executor, which is kept at work meanwhile, and whose
/// context must outlive the run. Its associated cancellation slot, whatever the type of cancellation, asks
/// the run to stop.
template <detail::Startable P, class Token>
auto asyncRun(P program, Token&& token) {
  constexpr bool madeOfNothing = detail::madeOfNothing<P>;
  static_assert(madeOfNothing,
                "tapestry::asyncRun: expected a program of a type that can be made of nothing, such as "
                "std::optional, for a handler gets a value also beside an error");
  return detail::startRun(std::move(program), nullptr, std::forward<Token>(token));
}
/// As above, with all of the run's work on the executor, which also takes its parallel branches.
template <detail::Startable P, class Token>
auto asyncRun(P program, Executor& executor, Token&& token) {
  constexpr bool madeOfNothing = detail::madeOfNothing<P>;
  static_assert(madeOfNothing,
                "tapestry::asyncRun: expected a program of a type that can be made of nothing, such as "
                "std::optional, for a handler gets a value also beside an error");
  return detail::startRun(std::move(program), &executor, std::forward<Token>(token));
}

}  // namespace tapestry
