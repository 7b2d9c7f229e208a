// Defines CoroutinePromise, the promise of a Coroutine: its allocation, its begin and end, its awaits and its
// result.
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"
#include "tapestry/continuation/coroutine/detail/foreign_await.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A coroutine is begun by its caller, on the caller's block, and goes back there when it has ended. It is
/// destroyed before it was begun or after it has ended.
class CoroutineFrame {
 public:
  [[gnu::noinline]] static void* operator new(std::size_t bytes) { return allocateNode(bytes); }
  [[gnu::noinline]] static void operator delete(void* memory, std::size_t bytes) noexcept {
    deallocateNode(memory, bytes);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }

  auto final_suspend() noexcept {
    struct GoBack {
      explicit GoBack(CoroutineFrame& ended) noexcept : frame(ended) {}
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) const noexcept {
        if (frame.error_ && frame.caller_) frame.block_->fail(std::move(frame.error_));
        frame.block_->goOnWith(frame.caller_);
      }
      void await_resume() const noexcept {}
      CoroutineFrame& frame;
    };
    return GoBack(*this);
  }

  void unhandled_exception() noexcept { error_ = std::current_exception(); }

  void begin(CoroutineBlock& block, std::coroutine_handle<> caller) noexcept {
    block_ = &block;
    caller_ = caller;
  }

  /// Destroys `self`, the coroutine of this frame, which was not begun. If its arguments hold such coroutines
  /// in turn, these are destroyed after it, not recursively.
  void discard(std::coroutine_handle<> self) noexcept;

 protected:
  CoroutineFrame() noexcept : block_(nullptr) {}

  CoroutineBlock& block() const noexcept { return *block_; }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  union {
    CoroutineBlock* block_;
    CoroutineFrame* nextDiscarded_;
  };
  std::coroutine_handle<> caller_;  ///< in a discarded frame: its own coroutine
  std::exception_ptr error_;
};

/// Whether T is a Coroutine or a template's instance with a Coroutine among its arguments, at any depth.
template <class T>
inline constexpr bool holdsCoroutine = false;
template <class A>
inline constexpr bool holdsCoroutine<Coroutine<A>> = true;
template <template <class...> class T, class... Parts>
inline constexpr bool holdsCoroutine<T<Parts...>> = (holdsCoroutine<Parts> || ...);

/// The conversions of the operands of co_await.
class CoroutineAwaits : public CoroutineFrame {
 public:
  template <Awaitable T>
  auto await_transform(const T& awaitable, Location location = Location::current()) const {
    return CoroutineAwait<T>(block(), awaitable, location);
  }
  template <class B>
  auto await_transform(Coroutine<B>&& callee, Location location = Location::current()) const {
    return CoroutineCall<B>(block(), std::move(callee), location);
  }
  template <class T>
    requires(!Awaitable<std::remove_cvref_t<T>> && !holdsCoroutine<std::remove_cvref_t<T>> &&
             ForeignAwaitable<T>)
  auto await_transform(T&& awaitable, Location location = Location::current()) const {
    return ForeignAwait<T>(block(), std::forward<T>(awaitable), location);
  }

  template <class B>
  void await_transform(Coroutine<B>&) const = delete;  // expected std::move(coroutine): it runs once
  // Coroutines are not awaited in parallel; programs made of them, direct<M>([=] { return f(); }), are.
  template <class T>
    requires(!Awaitable<T> && holdsCoroutine<T>)
  void await_transform(const T&) const = delete;  // expected programs, direct<M>([=] { return coroutine(); })
  void await_transform(...) const = delete;  // expected a program, Coroutine, tuple, pair or toProgram(x)
};

template <class A>
class CoroutinePromise final : public CoroutineAwaits {
  static_assert(!std::is_reference_v<A>, "tapestry::Coroutine: got a reference, expected a value or void");

 public:
  Coroutine<A> get_return_object() noexcept {
    static_assert(fitsFrame<CoroutinePromise>,
                  "tapestry::Coroutine: got a result of larger alignment than "
                  "operator new has, expected a pointer to it");
    return Coroutine<A>(std::coroutine_handle<CoroutinePromise>::from_promise(*this));
  }

  template <class T = A>
  void return_value(T&& value) {
    constexpr bool returnable = std::convertible_to<T, A>;
    static_assert(returnable, "tapestry::Coroutine: the value of co_return does not make an A");
    if constexpr (returnable) value_.emplace(std::forward<T>(value));
  }

  /// Returns, or throws, the result of a coroutine that has ended. To be called once.
  A result() {
    rethrow();
    return *std::move(value_);
  }

 private:
  std::optional<std::remove_reference_t<A>> value_;
};

template <>
class CoroutinePromise<void> final : public CoroutineAwaits {
 public:
  Coroutine<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void result() { rethrow(); }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
