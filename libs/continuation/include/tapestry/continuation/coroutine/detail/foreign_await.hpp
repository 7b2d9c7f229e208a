// Defines ForeignAwait, with which a coroutine of direct style awaits an awaitable of another library.
#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/on.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An awaiter that works in coroutines of any type.
template <class T>
concept ForeignAwaiter = requires(T& awaiter, std::coroutine_handle<> handle) {
  { awaiter.await_ready() } -> std::convertible_to<bool>;
  awaiter.await_suspend(handle);
  awaiter.await_resume();
};

/// The awaiter of an awaitable, as co_await finds it.
template <class T>
decltype(auto) foreignAwaiter(T&& awaitable) {
  if constexpr (requires { std::forward<T>(awaitable).operator co_await(); })
    return std::forward<T>(awaitable).operator co_await();
  else if constexpr (requires { operator co_await(std::forward<T>(awaitable)); })
    return operator co_await(std::forward<T>(awaitable));
  else
    return std::forward<T>(awaitable);
}

template <class T>
concept ForeignAwaitable = requires(T&& awaitable) {
  { detail::foreignAwaiter(std::forward<T>(awaitable)) } -> ForeignAwaiter;
};

/// A coroutine that calls a callback when it is resumed, and then ends. If it is destroyed before, it drops
/// the callback.
class ResumesRun {
 public:
  struct promise_type : Pooled {
    ResumesRun get_return_object() noexcept {
      return ResumesRun(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };

  static ResumesRun make(Callback<void> callback) {
    callback();
    co_return;
  }

  std::coroutine_handle<> handle() const noexcept { return handle_; }

 private:
  explicit ResumesRun(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

/// Lives in the frame of the coroutine. The awaiter refers to objects in that frame, so the run waits for the
/// end of the await even if it is asked to stop.
template <class T>
class ForeignAwait {
  using Awaiter = decltype(detail::foreignAwaiter(std::declval<T>()));

  /// Suspends for the awaiter, on behalf of the coroutine.
  struct Suspend {
    void operator()(Callback<void> callback) const { await->suspend(std::move(callback)); }
    ForeignAwait* await;
  };
  static auto wait(ForeignAwait* await, const Location& location) {
    return tapestry::on(Executor::inlined(), tapestry::mask(tapestry::async<void>(Suspend{await}, location)),
                        location);
  }
  using Wait = decltype(wait(nullptr, Location()));

 public:
  ForeignAwait(CoroutineBlock& block, T&& awaitable, const Location& location)
      : block_(block),
        awaiter_(detail::foreignAwaiter(std::forward<T>(awaitable))),
        wait_(wait(this, location)),
        inner_(block, wait_, location) {
    static_assert(fitsFrame<ForeignAwait> && (std::is_lvalue_reference_v<T> || fitsFrame<T>),
                  "tapestry::Coroutine: got an awaiter of larger alignment than "
                  "operator new has, expected a pointer to it");
  }
  ForeignAwait(const ForeignAwait&) = delete;

  bool await_ready() {
    block_.checkBefore();
    ready_ = awaiter_.await_ready();
    return ready_ && Run::countStep();  // else other tasks have their turn first
  }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    suspended_ = true;
    inner_.await_suspend(waiting);
  }
  decltype(auto) await_resume() {
    if (suspended_) inner_.await_resume();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return awaiter_.await_resume();
  }

 private:
  void suspend(Callback<void> callback) noexcept {
    if (ready_) return callback();
    const auto resumer = ResumesRun::make(std::move(callback)).handle();
    std::coroutine_handle<> next = resumer;
    try {
      using Suspended = decltype(awaiter_.await_suspend(resumer));
      if constexpr (std::is_void_v<Suspended>) {
        awaiter_.await_suspend(resumer);
        next = std::noop_coroutine();
      } else if constexpr (std::convertible_to<Suspended, std::coroutine_handle<>>) {
        next = awaiter_.await_suspend(resumer);
      } else if (awaiter_.await_suspend(resumer)) {
        next = std::noop_coroutine();
      }
    } catch (...) {
      error_ = std::current_exception();
    }
    next.resume();
  }

  CoroutineBlock& block_;
  Awaiter awaiter_;
  Wait wait_;
  CoroutineAwait<Wait> inner_;
  std::exception_ptr error_;
  bool ready_ = false;
  bool suspended_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
