// Defines scoped, a value that lives until the end of the scope, and resource, a value with a release of its
// own.
#pragma once

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/raii/detail/registering.hpp"

namespace tapestry {

namespace detail {

template <class A>
concept closable = requires(A& value) { value.close(); };

/// Calls close() where the value has one; what it returns counts only if it is a program.
struct CloseValue {
  template <class A>
  auto operator()(A& value) const {
    if constexpr (closable<A>) {
      using R = decltype(value.close());
      if constexpr (isDo<R> || Program<R>)
        return value.close();
      else
        static_cast<void>(value.close());
    }
  }
};

/// Closes the value, and yields the errors of that.
template <class A>
UnitContinuation<Errors> closing(A& value) {
  try {
    if constexpr (std::is_void_v<decltype(CloseValue()(value))>) {
      CloseValue()(value);
      return now(Errors());
    } else {
      return toRelease(CloseValue()(value));
    }
  } catch (...) {
    return now(errorsOfRelease(std::current_exception()));
  }
}

/// Closes the value, and ends it when that is done.
template <class A, class F>
UnitContinuation<Errors> endOf(Ref<ScopedValue<A>> value, F close) {
  if constexpr (std::is_void_v<typename ReleaseResult<F, A>::type>) {
    auto* const scoped = value.get();
    return releaseOf<A>(std::move(value), [scoped, close = std::move(close)](A& a) {
      struct End {
        ScopedValue<A>& scoped;
        ~End() { scoped.end(); }
      } atLast{*scoped};
      close(a);
    });
  } else {
    return ensure(releaseOf<A>(value, std::move(close)), delay([value] { value->end(); }));
  }
}

/// Of a program that acquires an A: yields a handle of it, and closes and destroys it.
template <class A, class P, class F>
Do<Handle<A>> scopedValue(P acquire, F close) {
  return registering<Handle<A>>(
      std::move(acquire), [close = std::move(close)](ValueBox<A> value) -> typename Do<Handle<A>>::Acquired {
        auto kept = makeRef<ScopedValue<A>>(std::move(value));
        Handle<A> handle(kept);
        return {Try<Handle<A>>::success(std::move(handle)), endOf<A>(std::move(kept), close)};
      });
}

}  // namespace detail

/// Yields what `acquire` yields; release(value) is called at the end of the scope. It may return nothing, or
/// a program, UnitContinuation<void> or Do<void>, that does the work; what it throws is an error of the
/// release, of which Cancelled becomes ReleaseCancelled. Acquire and release are masked. A is copied: one for
/// the caller, one for the release.
template <class A, class F>
[[nodiscard("a program does nothing until it is run")]] Do<A> resource(const Do<A>& acquire, F release) {
  constexpr bool takes = detail::takesValue<F, A>;
  static_assert(takes, "tapestry::resource: expected a release function f(value&), const, not mutable");
  constexpr bool releases = !takes || detail::releases<F, A>;
  static_assert(releases, "tapestry::resource: the release function must return nothing, or a program");
  constexpr bool copies = std::is_void_v<A> || std::copy_constructible<A>;
  static_assert(
      copies,
      "tapestry::resource: the value is copied, one for the caller and one for the release, use scoped for a "
      "move-only value");
  if constexpr (takes && releases && copies)
    return detail::copiedResource<A>(detail::maskedAcquire(acquire), std::move(release));
  else
    return acquire;
}

template <class T = void>
detail::Misfit resource(detail::Misfit, detail::Misfit = {}) {
  static_assert(detail::fits<T>, "tapestry::resource: expected a Do and a release function");
  return {};
}

/// What `acquire` yields lives until the end of the scope, behind a handle, and need not be copyable; then
/// close(value) is called, as the release of a resource, and when that has ended the value is destroyed.
template <class A, class F>
[[nodiscard("a program does nothing until it is run")]] Do<Handle<A>> scoped(const Do<A>& acquire, F close) {
  constexpr bool takes = detail::takesValue<F, A>;
  static_assert(takes,
                "tapestry::scoped: expected a function f(value&), const, not mutable, that closes the value");
  constexpr bool releases = !takes || detail::releases<F, A>;
  static_assert(releases, "tapestry::scoped: the function that closes must return nothing, or a program");
  if constexpr (takes && releases)
    return detail::scopedValue<A>(detail::maskedAcquire(acquire), std::move(close));
  else
    return Do<Handle<A>>::raiseError(std::exception_ptr());
}
/// As above, with `value.close()` if the value has that: it may return a program. Otherwise the value is
/// destroyed.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<Handle<A>> scoped(const Do<A>& acquire) {
  return scoped(acquire, detail::CloseValue());
}

/// As above, of a value that factory() makes in every run.
template <class F>
[[nodiscard("a program does nothing until it is run")]] auto scoped(F factory) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted,
                "tapestry::scoped: expected a factory that takes no argument, f(), const, not mutable");
  if constexpr (accepted)
    return scoped(Do<std::invoke_result_t<const F&>>::delay(std::move(factory)));
  else
    return detail::AnyDo();
}
template <class F, class G>
[[nodiscard("a program does nothing until it is run")]] auto scoped(F factory, G close) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted,
                "tapestry::scoped: expected a factory that takes no argument, f(), const, not mutable");
  if constexpr (accepted)
    return scoped(Do<std::invoke_result_t<const F&>>::delay(std::move(factory)), std::move(close));
  else
    return detail::AnyDo();
}

}  // namespace tapestry
