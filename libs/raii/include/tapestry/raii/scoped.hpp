// Defines scoped, a value that lives until the end of the scope, and resource, a value with a release of its
// own.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/raii/detail/registering.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class A>
concept closable = requires(A& value) { value.close(); };

/// Calls close() if the value has it. Returns its result if that is a program, and else drops it.
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

/// Closes the value, then destroys it.
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

/// Makes a Do of a program that acquires an A: yields a handle to the A, and at the end closes and destroys
/// it.
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

/// Yields the value of `acquire`, and calls release(value) at the end of the scope. `release` may return
/// nothing, or a program, UnitContinuation<void> or Do<void>, that does the work; an exception that it throws
/// is an error of the release, and Cancelled becomes ReleaseCancelled. The errors that a
/// UnitContinuation<Errors> yields are errors of the release, too. Acquire and release are masked. A is
/// copied: one copy for the caller, one for the release.
template <class A, class F>
  requires detail::releases<F, A> && (std::is_void_v<A> || std::copy_constructible<A>)
[[nodiscard("a program does nothing until it is run")]] Do<A> resource(const Do<A>& acquire, F release) {
  return detail::copiedResource<A>(detail::maskedAcquire(acquire), std::move(release));
}

// For a value that cannot be copied use `scoped`.
void resource(...) = delete;  // expected a Do<A> of a copyable A, and a const f(A&), void or a program

/// Yields a handle to the value of `acquire`, which need not be copyable and lives until the end of the
/// scope. Then close(value) is called, as the release of a resource, and the value is destroyed after that
/// has ended.
template <class A, class F>
  requires detail::releases<F, A>
[[nodiscard("a program does nothing until it is run")]] Do<Handle<A>> scoped(const Do<A>& acquire, F close) {
  return detail::scopedValue<A>(detail::maskedAcquire(acquire), std::move(close));
}
/// As above, with `value.close()`, which may return a program. A value without close() is only destroyed.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<Handle<A>> scoped(const Do<A>& acquire) {
  return tapestry::scoped(acquire, detail::CloseValue());
}

/// As above, for a value that factory() makes in every run.
template <class F>
  requires std::invocable<const F&>
[[nodiscard("a program does nothing until it is run")]] auto scoped(F factory) {
  return tapestry::scoped(Do<std::invoke_result_t<const F&>>::delay(std::move(factory)));
}
template <class F, class G>
  requires std::invocable<const F&> && detail::releases<G, std::invoke_result_t<const F&>>
[[nodiscard("a program does nothing until it is run")]] auto scoped(F factory, G close) {
  return tapestry::scoped(Do<std::invoke_result_t<const F&>>::delay(std::move(factory)), std::move(close));
}

void scoped(  // expected a Do<A>, or a factory A(), at most a const close(A&), void or a program
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
