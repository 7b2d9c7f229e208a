// Defines CoroutinePromise, the promise of a Coroutine: what it awaits, and its result.
#pragma once

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_await.hpp"
#include "tapestry/continuation/coroutine/detail/coroutine_call.hpp"
#include "tapestry/continuation/coroutine/detail/coroutine_frame.hpp"
#include "tapestry/continuation/detail/misfit.hpp"

namespace tapestry {

namespace detail {

/// Stands where what cannot be awaited was awaited, so that the error is the only one.
struct NotAwaitable : std::suspend_never {
  Anything await_resume() const noexcept { return {}; }
};

/// Whether some T<Coroutine<A>, ...>.
template <class T>
inline constexpr bool holdsCoroutine = false;
template <class A>
inline constexpr bool holdsCoroutine<Coroutine<A>> = true;
template <template <class...> class T, class... Parts>
inline constexpr bool holdsCoroutine<T<Parts...>> = (holdsCoroutine<Parts> || ...);

/// What coroutines await.
class CoroutineAwaits : public CoroutineFrame {
 public:
  template <class T>
  auto await_transform(const T& awaitable, Location location = Location::current()) const {
    constexpr bool canBeAwaited = Awaitable<T>;
    constexpr bool inParallel = !canBeAwaited && holdsCoroutine<T>;
    static_assert(!inParallel,
                  "tapestry::co_await: got Coroutines, which are not awaited in parallel, expected programs, "
                  "direct<M>([=] { return coroutine(...); })");
    constexpr bool isKnown = canBeAwaited || inParallel;
    static_assert(isKnown,
                  "tapestry::co_await: expected a program, a tuple or pair of programs, a type with "
                  "toProgram(x), or a Coroutine");
    if constexpr (canBeAwaited)
      return CoroutineAwait<T>(block(), awaitable, location);
    else
      return NotAwaitable();
  }
  template <class B>
  auto await_transform(Coroutine<B>&& callee) const {
    return CoroutineCall<B>(block(), std::move(callee));
  }
  template <class B>
  auto await_transform(Coroutine<B>& callee) const {
    constexpr bool mayRunAgain = sizeof(Coroutine<B>) == 0;
    static_assert(mayRunAgain,
                  "tapestry::co_await: a Coroutine runs once, expected co_await std::move(coroutine)");
    return await_transform(std::move(callee));
  }
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

  /// Of a coroutine that has ended: what it returned or threw. To be called once.
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
