// Defines CoroutineAwait and CoroutineCall, with which a coroutine of direct style awaits a program, or
// another coroutine.
#pragma once

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"
#include "tapestry/continuation/detail/awaitable.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Coroutine;

}  // namespace tapestry

namespace tapestry::detail {

/// Lives in the frame of the coroutine and keeps the state of the await that is not in the awaited object.
///
/// g++ calls `await_resume` only when all awaits of an expression are complete, and not in their order. So
/// the value is taken as soon as it is there, and `await_resume` just returns it; and if taking it failed,
/// the next await of the expression throws the error instead of beginning.
template <class T>
class CoroutineAwait {
  using Way = Await<AwaitedProgram<T>>;
  using Executed = std::remove_cvref_t<decltype(Way::program(std::declval<const AwaitedProgram<T>&>()))>;
  using A = typename AwaitedProgram<T>::ValueType;

  /// A program that yields at once need not suspend the coroutine, and a value that may be dropped need not
  /// be in the run.
  static constexpr bool atOnce = SyncProgram<Executed> && !Abandonable<Stored<typename Executed::ValueType>>;

 public:
  CoroutineAwait(CoroutineBlock& block, const T& awaitable, const Location& location)
      : block_(block),
        scope_(Way::scope(block)),
        program_(ToProgram<T>::of(awaitable, location)),
        location_(location) {}
  CoroutineAwait(const CoroutineAwait&) = delete;
  ~CoroutineAwait() { block_.forgetFailure(); }

  bool await_ready() {
    block_.checkBefore();
    if constexpr (atOnce) {
      if (!Run::countStep()) return false;  // other tasks have their turn first
      take([this] { return Way::program(program_).eval(); });
      block_.checkBefore();
    }
    return atOnce;
  }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    block_.suspendFor(*this, Way::program(program_), waiting);
  }
  A await_resume() {
    block_.checkAfter();
    if constexpr (!std::is_void_v<A>) return *std::move(value_);
  }

  /// Called before the coroutine is resumed.
  template <class Take>
  void settle(const Take& taken) noexcept {
    try {
      take(taken);
    } catch (...) {
      block_.fail(std::current_exception());
    }
  }

 private:
  template <class Take>
  void take(const Take& taken) {
    if constexpr (std::is_void_v<A>)
      Way::value(scope_, taken, location_);
    else
      value_.emplace(Way::value(scope_, taken, location_));
  }

  CoroutineBlock& block_;
  decltype(Way::scope(std::declval<StoppableBlock&>())) scope_;
  decltype(ToProgram<T>::of(std::declval<const T&>(), Location())) program_;
  Location location_;
  std::optional<Stored<A>> value_;
};

/// The awaited coroutine runs in place of its caller, and is destroyed with the expression that awaits it.
template <class B>
class CoroutineCall {
 public:
  CoroutineCall(CoroutineBlock& block, Coroutine<B> callee, const Location& location) noexcept
      : block_(block), callee_(std::move(callee)), location_(location) {}
  CoroutineCall(const CoroutineCall&) = delete;
  ~CoroutineCall() { block_.forgetFailure(); }

  bool await_ready() const {
    block_.checkBefore();
    return false;
  }
  void await_suspend(std::coroutine_handle<> caller) { block_.goOnWith(callee_.begin(block_, caller)); }
  B await_resume() {
    block_.rethrowFailure({"co_await", location_});
    return callee_.result();
  }

 private:
  CoroutineBlock& block_;
  Coroutine<B> callee_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
