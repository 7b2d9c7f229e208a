// Defines scoped, a value that lives until the end of the scope, and resource, a value with a release of its
// own.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/detail/unless_stopped.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

namespace tapestry {

namespace detail {

/// What a release function returned: nothing, a UnitContinuation, or a Do; as a release that yields its
/// errors.
template <class R>
UnitContinuation<Errors> toRelease(R result) {
  if constexpr (isDo<R>)
    return std::move(result).run().acquire().map([](const auto& ended) { return ended.errors(); });
  else
    return result.map([](auto&&...) { return Errors(); });
}

/// The release that calls function(value), which may throw or return a program.
template <class A, class F>
UnitContinuation<Errors> releaseOf(Ref<A> value, F function) {
  return stopToErrors(
      suspend([value = std::move(value), function = std::move(function)]() -> UnitContinuation<Errors> {
        try {
          if constexpr (std::is_void_v<decltype(function(*value))>) {
            function(*value);
            return now(Errors());
          } else {
            return toRelease(function(*value));
          }
        } catch (...) {
          return now(Errors(std::current_exception()));
        }
      }));
}

/// Acquires masked, and registers with the value, before any request to stop is seen, the release that
/// makeRelease(value) gives.
template <class B, class A, class F>
Do<B> registering(const Do<A>& acquire, F attach) {
  using AcquiredA = typename Do<A>::Acquired;
  using AcquiredB = typename Do<B>::Acquired;
  return Do<B>(UnitContinuation<AcquiredB>(
      unlessStopped(mask(acquire.acquire()))
          .map([attach = std::move(attach)](AcquiredA acquired) -> AcquiredB {
            if (!acquired.value.hasValue())
              return {Try<B>::failure(acquired.value.error()), std::move(acquired.release)};
            AcquiredB result = attach(std::move(acquired.value).takeBox());
            result.release =
                sequence<UnitContinuationMonad>(std::move(result.release), std::move(acquired.release));
            return result;
          })));
}

/// A scoped value, registered with its end.
template <class A, class F>
Do<Handle<A>> scopedValue(F factory) {
  return registering<Handle<A>>(
      Do<A>::delay(std::move(factory)), [](ValueBox<A> value) -> typename Do<Handle<A>>::Acquired {
        auto kept = makeRef<ScopedValue<A>>(std::move(value));
        Handle<A> handle(kept);
        auto end = [](ScopedValue<A>& box) {
          struct End {
            ScopedValue<A>& value;
            ~End() { value.end(); }
          } atLast{box};
          if constexpr (requires(A& a) { a.close(); }) box.value()->close();
        };
        return {Try<Handle<A>>::success(std::move(handle)), releaseOf(std::move(kept), end)};
      });
}

}  // namespace detail

/// Yields what `acquire` yields; release(value) is called at the end of the scope. It may return nothing, or
/// a program, UnitContinuation<void> or Do<void>, that does the work; what it throws is an error of the
/// release. Acquire and release are masked. A is copied: one for the caller, one for the release.
template <class A, class F>
[[nodiscard("a program does nothing until it is run")]] Do<A> resource(const Do<A>& acquire, F release) {
  constexpr bool releases = std::invocable<const F&, A&>;
  static_assert(releases, "tapestry::resource: expected a release function f(value&)");
  constexpr bool copies = std::copy_constructible<A>;
  static_assert(
      copies,
      "tapestry::resource: the value is copied, one for the caller and one for the release, use scoped for a "
      "move-only value");
  if constexpr (!releases || !copies)
    return acquire;
  else
    return detail::registering<A>(
        acquire, [release = std::move(release)](detail::ValueBox<A> value) -> typename Do<A>::Acquired {
          auto kept = detail::makeRef<detail::ScopedValue<A>>(std::move(value));
          auto copy = Try<A>::of([&] { return *kept->value(); });
          return {std::move(copy),
                  detail::releaseOf(std::move(kept), [release](auto& box) { return release(*box.value()); })};
        });
}

template <class T = void>
detail::Misfit resource(detail::Misfit, detail::Misfit = {}) {
  static_assert(detail::fits<T>, "tapestry::resource: expected a Do and a release function");
  return {};
}

/// Makes a value in every run with factory(), and lets it live until the end of the scope; then `close()` is
/// called if it has one, and it is destroyed. The value need not be copyable or movable by its users.
template <class F>
[[nodiscard("a program does nothing until it is run")]] auto scoped(F factory) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted, "tapestry::scoped: expected a factory that takes no argument, f()");
  if constexpr (accepted) return detail::scopedValue<std::invoke_result_t<const F&>>(std::move(factory));
}

}  // namespace tapestry
