// Defines CoroutinePromise, the promise of a Coroutine: its awaits and its result.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_await.hpp"
#include "tapestry/continuation/coroutine/detail/coroutine_call.hpp"
#include "tapestry/continuation/coroutine/detail/coroutine_frame.hpp"
#include "tapestry/continuation/coroutine/detail/foreign_await.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

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
    return Coroutine<A>(std::coroutine_handle<CoroutinePromise>::from_promise(*this));
  }

  template <class T = A>
  void return_value(T&& value) {
    constexpr bool returnable = std::constructible_from<A, T>;
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

}  // namespace detail
}  // namespace tapestry
#pragma GCC visibility pop
