// Defines asyncRun, which runs a program with any completion token of Boost.Asio.
#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_signature.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The error for the handler; null for a value.
template <class A>
std::exception_ptr asioErrorOf(const Outcome<A>& outcome) {
  if (!outcome.isCancelled()) return outcome.error();
  return std::make_exception_ptr(boost::system::system_error(boost::asio::error::operation_aborted));
}

/// The code of a boost::system::system_error; of null and of other errors, success.
inline boost::system::error_code asioCodeOf(const std::exception_ptr& error) noexcept {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const boost::system::system_error& failure) {
    return failure.code();
  } catch (...) {
  }
  return {};
}

/// Calls a handler of the signature R(std::exception_ptr, A) with the outcome.
template <class A, class R>
struct CallHandler {
  using Signature = typename SignatureOf<R, std::exception_ptr, A>::Type;

  template <class Handler>
  void operator()(Handler& handler, Outcome<A>& outcome) const {
    const std::exception_ptr error = asioErrorOf(outcome);
    if constexpr (std::is_void_v<A>)
      std::move(handler)(error);
    else
      std::move(handler)(error, error ? A() : std::move(outcome.get()));
  }
};

/// Calls the handler of a yield context with the code of the error, which Asio stores into the ec of
/// yield[ec], or throws. In Boost 1.81 a yield context takes a null exception_ptr for an error.
template <class A>
struct CallYieldHandler {
  using Signature = typename SignatureOf<void, boost::system::error_code, A>::Type;

  template <class Handler>
  void operator()(Handler& handler, Outcome<A>& outcome) const {
    *error = asioErrorOf(outcome);
    const boost::system::error_code code = asioCodeOf(*error);
    if constexpr (std::is_void_v<A>)
      std::move(handler)(code);
    else
      std::move(handler)(code, *error ? A() : std::move(outcome.get()));
  }

  /// On the stack of the fiber, which exists until the handler is called or destroyed.
  std::exception_ptr* error;
};

/// Posts the handler to its executor with the outcome, and keeps the executor at work until then.
template <class Call, class A, class Handler>
class HandlerCallback {
 public:
  HandlerCallback(Handler handler, Call call)
      : work_(boost::asio::get_associated_executor(handler)), handler_(std::move(handler)), call_(call) {}

  void operator()(Outcome<A> outcome) {
    auto task = [handler = std::move(handler_), call = call_, outcome = std::move(outcome)]() mutable {
      call(handler, outcome);
    };
    boost::asio::post(work_.get_executor(), std::move(task));
  }

 private:
  boost::asio::executor_work_guard<boost::asio::associated_executor_t<Handler>> work_;
  Handler handler_;
  [[no_unique_address]] Call call_;
};

/// The initiation, which Asio calls with the handler that it has made from a completion token.
template <class Call, class P>
class StartRun {
  using A = typename P::ValueType;

 public:
  StartRun(P program, Executor* executor, Call call)
      : program_(std::move(program)), executor_(executor), call_(call) {}

  template <class Handler>
  void operator()(Handler&& handler) const {
    static_assert(!awaitsDeferred<std::decay_t<Handler>>,
                  "tapestry::asyncRun: got co_await of a run with the token deferred, expected the token "
                  "use_awaitable, since Boost 1.81 cannot await a deferred operation with an exception_ptr "
                  "and a value");
    const StopToken token = stopBy(boost::asio::get_associated_cancellation_slot(handler));
    HandlerCallback<Call, A, std::decay_t<Handler>> callback(std::forward<Handler>(handler), call_);
    if (executor_)
      program_.onComplete(std::move(callback), *executor_, token, Location());
    else
      program_.onComplete(std::move(callback), token, Location());
  }

 private:
  template <class Slot>
  static StopToken stopBy(Slot slot) {
    if (!slot.is_connected()) return {};
    const StopSource source;
    slot.assign([request = RequestStop{source}](boost::asio::cancellation_type type) {
      if (type != boost::asio::cancellation_type::none) request();
    });
    return source.token();
  }

  P program_;
  Executor* executor_;
  [[no_unique_address]] Call call_;
};

/// The value can be made from nothing, since a handler gets a value also with an error.
template <class P>
inline constexpr bool madeOfNothing =
    std::is_void_v<typename P::ValueType> || std::default_initializable<Stored<typename P::ValueType>>;

/// What calls the handler that Asio makes from the token.
template <class A, class Token>
using CallFor = std::conditional_t<isYield<Token>, CallYieldHandler<A>,
                                   CallHandler<A, std::conditional_t<isDeferred<Token>, DeferredEnd, void>>>;

/// Whether Asio makes a handler from the token that can be called with the run's outcome.
template <class P, class Token, class Call = CallFor<typename P::ValueType, std::remove_cvref_t<Token>>>
inline constexpr bool isTokenFor = requires(StartRun<Call, P> start, std::remove_reference_t<Token>& token) {
  boost::asio::async_initiate<Token, typename Call::Signature>(std::move(start), token);
};

template <class Token, class P>
concept TokenFor = madeOfNothing<P> && isTokenFor<Started<P>, Token>;

template <class P, class Token, class Call>
auto initiateRun(P program, Executor* executor, Token&& token, Call call) {
  StartRun<Call, P> start(std::move(program), executor, call);
  return boost::asio::async_initiate<Token, typename Call::Signature>(std::move(start), token);
}

/// Gives the fiber of the yield context the value, or throws the error unless the ec of yield[ec] has it.
template <class A, class P, class Token>
A yieldRun(P program, Executor* executor, Token&& token) {
  std::exception_ptr error;
  try {
    const CallYieldHandler<A> call{&error};
    if constexpr (std::is_void_v<A>) {
      detail::initiateRun(std::move(program), executor, token, call);
      if (!error || asioCodeOf(error)) return;
    } else {
      A value = detail::initiateRun(std::move(program), executor, token, call);
      if (!error || asioCodeOf(error)) return value;
    }
  } catch (const boost::system::system_error&) {
    if (!error) throw;
  }
  std::rethrow_exception(error);  // the error of the run, not the error that Asio has made of its code
}

/// Precondition: madeOfNothing<P> and isTokenFor<P, Token>.
template <class P, class Token>
auto startRun(P program, Executor* executor, Token&& token) {
  using A = typename P::ValueType;
  using Call = CallFor<A, std::remove_cvref_t<Token>>;
  if constexpr (isYield<std::remove_cvref_t<Token>>)
    return detail::yieldRun<A>(std::move(program), executor, token);
  else
    return detail::initiateRun(std::move(program), executor, std::forward<Token>(token), Call());
}

}  // namespace detail

/// Runs the program, a UnitContinuation or a Do, as an asynchronous operation of Asio with the signature
/// void(std::exception_ptr, A), or void(std::exception_ptr) where A is void: `co_await asyncRun(program,
/// use_awaitable)` and `asyncRun(program, use_future).get()` give the value or throw the error; a cancelled
/// run is a boost::system::system_error of operation_aborted. So does `asyncRun(program, yield)` on a fiber
/// of asio::spawn; with `yield[ec]` the code of a boost::system::system_error is in ec, beside an A(), and
/// errors without a code are thrown. The run works on the calling thread until it suspends. The handler is
/// posted to its associated executor, which has outstanding work meanwhile and whose context must outlive the
/// run. Its associated cancellation slot, whatever the type of cancellation, asks the run to stop.
///
/// The result of `deferred` accepts any other token except a yield context, for which Boost 1.81 treats a
/// null exception_ptr as an error: write `asyncRun(program, yield)`. Boost 1.81 can await the result, as an
/// rvalue, in a boost::asio::awaitable only where A is void, since its handler for the signature of an
/// exception_ptr and a value does not compile: write `co_await asyncRun(program, use_awaitable)`.
template <detail::Startable P, detail::TokenFor<P> Token>
auto asyncRun(P program, Token&& token) {
  return detail::startRun(detail::Started<P>(std::move(program)), nullptr, std::forward<Token>(token));
}
/// As above, with all of the run's work on the executor, which also takes its parallel branches.
template <detail::Startable P, detail::TokenFor<P> Token>
auto asyncRun(P program, Executor& executor, Token&& token) {
  return detail::startRun(detail::Started<P>(std::move(program)), &executor, std::forward<Token>(token));
}

template <detail::Startable P, class... Ts>
  requires(!detail::madeOfNothing<P>)
void asyncRun(const P&, Ts&&...) = delete;  // expected a program of a default-constructible value, or void

// The handler of a token, or f itself, gets (std::exception_ptr, A), or (std::exception_ptr) where A is void.
void asyncRun(...) = delete;  // expected a UnitContinuation or Do, at most an Executor&, a completion token

}  // namespace tapestry
#pragma GCC visibility pop
