// Defines asSender, which makes a sender of a program.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/raii/execution/standard.hpp"

#pragma GCC visibility push(default)
namespace tapestry::execution {

namespace detail {

template <class A>
struct ValueSignature {
  using Type = standard::set_value_t(A);
};
template <>
struct ValueSignature<void> {
  using Type = standard::set_value_t();
};

/// The stop token of a receiver's environment.
template <class Receiver>
using StopTokenOf = std::remove_cvref_t<decltype(stopTokens::get_stop_token(
    standard::get_env(std::declval<const Receiver&>())))>;

/// The link through which a standard stop token asks a run to stop.
template <class Token>
class StopLink {
  using Callback = typename Token::template callback_type<tapestry::detail::RequestStop>;

 public:
  /// Returns the token for the run. A request may come before this returns.
  StopToken open(Token token) {
    const StopSource source;
    callback_.emplace(std::move(token), tapestry::detail::RequestStop{source});
    return source.token();
  }
  /// For a run that has ended: waits for a request that another thread is making.
  void close() noexcept { callback_.reset(); }

 private:
  std::optional<Callback> callback_;
};

/// For a token that never requests a stop.
template <>
class StopLink<stopTokens::never_stop_token> {
 public:
  StopToken open(stopTokens::never_stop_token) const noexcept { return {}; }
  void close() const noexcept {}
};

/// One run of a program, which completes a receiver. It lives until the receiver has been completed.
template <class P, class Receiver>
class ProgramOperation {
  using A = typename P::ValueType;

 public:
  using operation_state_concept = standard::operation_state_t;

  ProgramOperation(P program, Executor* executor, extend::Location location, Receiver receiver)
      : program_(std::move(program)),
        executor_(executor),
        location_(location),
        receiver_(std::move(receiver)) {}
  ProgramOperation(const ProgramOperation&) = delete;

  void start() & noexcept {
    const StopToken stop = link_.open(stopTokens::get_stop_token(standard::get_env(receiver_)));
    // locals, because this may be destroyed as soon as the run has begun
    const P program = std::move(program_);
    const extend::Location location = location_;
    auto finish = [this](Outcome<A> outcome) { complete(std::move(outcome)); };
    if (executor_)
      program.onComplete(finish, *executor_, stop, location);
    else
      program.onComplete(finish, stop, location);
  }

 private:
  void complete(Outcome<A> outcome) noexcept {
    link_.close();
    if (outcome.hasError()) return standard::set_error(std::move(receiver_), outcome.error());
    if (!outcome.hasValue()) return standard::set_stopped(std::move(receiver_));
    if constexpr (std::is_void_v<A>)
      standard::set_value(std::move(receiver_));
    else
      standard::set_value(std::move(receiver_), std::move(outcome).get());
  }

  P program_;
  Executor* const executor_;
  const extend::Location location_;
  Receiver receiver_;
  StopLink<StopTokenOf<Receiver>> link_;
};

}  // namespace detail

/// The sender that asSender makes. It completes with one value, or with none if the value is void, with a
/// std::exception_ptr, or with stopped. Copied in O(1); each copy that is connected and started is a separate
/// run.
template <class P>
class [[nodiscard("a sender does nothing until it is connected and started")]] ProgramSender {
 public:
  using sender_concept = standard::sender_t;
  using completion_signatures =
      standard::completion_signatures<typename detail::ValueSignature<typename P::ValueType>::Type,
                                      standard::set_error_t(std::exception_ptr), standard::set_stopped_t()>;

  /// As the draft of C++26 asks for the signatures; implementations of P2300 read the alias.
  template <class Self, class... Env>
  static consteval completion_signatures get_completion_signatures() noexcept {
    return {};
  }

  ProgramSender(P program, Executor* executor, extend::Location location) noexcept
      : program_(std::move(program)), executor_(executor), location_(location) {}

  template <class Receiver>
  auto connect(Receiver receiver) const {
    return detail::ProgramOperation<P, Receiver>(program_, executor_, location_, std::move(receiver));
  }

 private:
  P program_;
  Executor* executor_;
  extend::Location location_;
};

/// Makes a sender of a program, a UnitContinuation or a Do. The run works on the thread that starts the
/// operation until it suspends, and completes the receiver where it ends, after all releases. The value of
/// the run is the sender's value, its error a std::exception_ptr, its cancellation stopped. A request through
/// the stop token of the receiver's environment asks the run to stop.
template <tapestry::detail::Startable P>
ProgramSender<tapestry::detail::Started<P>> asSender(
    P program, extend::Location location = extend::Location::current()) {
  return {tapestry::detail::Started<P>(std::move(program)), nullptr, location};
}
/// As above, with all work of the run, its parallel branches included, and the completion of the receiver on
/// the executor.
template <tapestry::detail::Startable P>
ProgramSender<tapestry::detail::Started<P>> asSender(
    P program, Executor& executor, extend::Location location = extend::Location::current()) {
  return {tapestry::detail::Started<P>(std::move(program)), &executor, location};
}

void asSender(...) = delete;  // expected a UnitContinuation or a Do, at most an Executor&

}  // namespace tapestry::execution
#pragma GCC visibility pop
