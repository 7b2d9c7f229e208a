// Defines startRun, which starts a run as an operation of Boost.Asio, for asyncRun.
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

#include "tapestry/continuation/asio/detail/asio_deferred.hpp"
#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace boost::asio {

template <class Executor>
class basic_yield_context;  // <boost/asio/spawn.hpp> is large
template <class T, class Executor>
class executor_binder;
template <class T, class Allocator>
class allocator_binder;
template <class T, class CancellationSlot>
class cancellation_slot_binder;

}  // namespace boost::asio

namespace tapestry::detail {

/// For a yield context, which in Boost 1.81 treats a null exception_ptr as an error.
template <class A>
using YieldSignature = void(Outcome<A>);

/// The error for the handler; null for a value.
template <class A>
std::exception_ptr asioErrorOf(const Outcome<A>& outcome) {
  if (!outcome.isCancelled()) return outcome.error();
  return std::make_exception_ptr(boost::system::system_error(boost::asio::error::operation_aborted));
}

/// Whether the token is a basic_yield_context, or bound to one.
template <class Token>
inline constexpr bool isYield = false;
template <class Executor>
inline constexpr bool isYield<boost::asio::basic_yield_context<Executor>> = true;
template <class T, class Executor>
inline constexpr bool isYield<boost::asio::executor_binder<T, Executor>> = isYield<T>;
template <class T, class Allocator>
inline constexpr bool isYield<boost::asio::allocator_binder<T, Allocator>> = isYield<T>;
template <class T, class Slot>
inline constexpr bool isYield<boost::asio::cancellation_slot_binder<T, Slot>> = isYield<T>;

/// The error_code to set in place of an exception: the ec of yield[ec], or null. Reads the member ec_, since
/// Boost has no public access to the error_code of yield[ec].
template <class Token>
boost::system::error_code* codeOf(const Token& token) {
  if constexpr (requires { token.ec_; })
    return token.ec_;
  else
    return codeOf(token.get());
}

template <class A>
A valueOrThrow(Outcome<A> outcome, boost::system::error_code* code) {
  if (code) code->clear();
  const std::exception_ptr error = asioErrorOf(outcome);
  try {
    if (error) std::rethrow_exception(error);
  } catch (const boost::system::system_error& e) {
    if (!code) throw;
    *code = e.code();
    return A();
  }
  if constexpr (!std::is_void_v<A>) return std::move(outcome.get());
}

/// Posts the handler to its executor with the outcome, and keeps the executor at work until then.
template <class Signature, class A, class Handler>
class HandlerCallback {
 public:
  explicit HandlerCallback(Handler handler)
      : work_(boost::asio::get_associated_executor(handler)), handler_(std::move(handler)) {}

  void operator()(Outcome<A> outcome) {
    auto call = [handler = std::move(handler_), outcome = std::move(outcome)]() mutable {
      if constexpr (std::is_same_v<Signature, YieldSignature<A>>) {
        std::move(handler)(std::move(outcome));
      } else {
        const std::exception_ptr error = asioErrorOf(outcome);
        if constexpr (std::is_void_v<A>)
          std::move(handler)(error);
        else
          std::move(handler)(error, error ? A() : std::move(outcome.get()));
      }
    };
    boost::asio::post(work_.get_executor(), std::move(call));
  }

 private:
  boost::asio::executor_work_guard<boost::asio::associated_executor_t<Handler>> work_;
  Handler handler_;
};

/// The initiation, which Asio calls with the handler that it has made from a completion token.
template <class Signature, class P>
class StartRun {
  using A = typename P::ValueType;

 public:
  StartRun(P program, Executor* executor) : program_(std::move(program)), executor_(executor) {}

  template <class Handler>
  void operator()(Handler&& handler) const {
    const StopToken token = stopBy(boost::asio::get_associated_cancellation_slot(handler));
    HandlerCallback<Signature, A, std::decay_t<Handler>> callback(std::forward<Handler>(handler));
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
    slot.assign([source](boost::asio::cancellation_type type) {
      const StopSource kept = source;  // since a run that ends now may clear the slot
      if (type != boost::asio::cancellation_type::none) kept.requestStop();
    });
    return source.token();
  }

  P program_;
  Executor* executor_;
};

/// The value can be made from nothing, since a handler gets a value also with an error.
template <class P>
inline constexpr bool madeOfNothing =
    std::is_void_v<typename P::ValueType> || std::default_initializable<Stored<typename P::ValueType>>;

/// The signature of the handler that Asio makes from the token.
template <class P, class Token>
using SignatureFor = std::conditional_t<
    isYield<std::remove_cvref_t<Token>>, YieldSignature<typename P::ValueType>,
    std::conditional_t<isDeferred<std::remove_cvref_t<Token>>, DeferredSignature<typename P::ValueType>,
                       RunSignature<typename P::ValueType>>>;

/// Whether Asio makes a handler from the token that can be called with the run's outcome.
template <class P, class Token>
inline constexpr bool isTokenFor =
    requires(StartRun<SignatureFor<P, Token>, P> start, std::remove_reference_t<Token>& token) {
      boost::asio::async_initiate<Token, SignatureFor<P, Token>>(std::move(start), token);
    };

template <class Token, class P>
concept TokenFor = madeOfNothing<P> && isTokenFor<Started<P>, Token>;

template <class P, class Token>
auto initiateRun(P program, Executor* executor, Token&& token) {
  using Signature = SignatureFor<P, Token>;
  return boost::asio::async_initiate<Token, Signature>(StartRun<Signature, P>(std::move(program), executor),
                                                       token);
}

/// Precondition: madeOfNothing<P> and isTokenFor<P, Token>.
template <class P, class Token>
auto startRun(P program, Executor* executor, Token&& token) {
  if constexpr (isYield<std::remove_cvref_t<Token>>)
    return detail::valueOrThrow(initiateRun(std::move(program), executor, token), codeOf(token));
  else
    return initiateRun(std::move(program), executor, std::forward<Token>(token));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
