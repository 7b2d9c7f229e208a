// Defines registering, which makes a Do of an acquire and the release that belongs to it.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of a release, of a finalizer of `ensure`, or of a health check of a pool, that throws Cancelled
/// or cancels itself: none of them can be cancelled.
struct ReleaseCancelled final : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

/// The Errors of a release that has thrown the error, or has failed with it; none for a null pointer.
Errors errorsOfRelease(const std::exception_ptr& error);

template <class F, class A>
struct ReleaseResult : std::invoke_result<const F&, A&> {};
template <class F>
struct ReleaseResult<F, void> : std::invoke_result<const F&> {};

/// Whether the release can be called as f(value&), or as f() if A is void.
template <class F, class A>
concept TakesValue = requires { typename ReleaseResult<F, A>::type; };

/// A Do, or a program that cannot fail. A release would lose the errors of a program of a Try or a Resource.
template <class R>
concept ReleaseProgram = isDo<R> || (Program<R> && madeFrom<R>() == Made::program);

/// Whether the release, so called, returns nothing or a program.
template <class F, class A>
concept Releases = TakesValue<F, A> && (std::is_void_v<typename ReleaseResult<F, A>::type> ||
                                        ReleaseProgram<typename ReleaseResult<F, A>::type>);

// One value, so that compilers say in one line that it is false.
template <class F, class A>
inline constexpr bool releases = Releases<F, A>;

template <class A, class F>
auto callRelease(const F& function, [[maybe_unused]] Stored<A>& value) {
  if constexpr (std::is_void_v<A>)
    return function();
  else
    return function(value);
}

/// The program that a release function has returned, as a release that yields its errors.
template <class R>
UnitContinuation<Errors> toRelease(R result) {
  if constexpr (isDo<R>)
    return result.run().acquire().map([](const auto& ended) { return errorsOfRelease(ended.value.error()); });
  else if constexpr (std::is_same_v<typename R::ValueType, Errors>)
    return result;
  else
    return std::move(result).map([](auto&&...) { return Errors(); });
}

/// The release that calls function(value), which may throw or return a program.
template <class A, class F>
UnitContinuation<Errors> releaseOf(Ref<ScopedValue<A>> value, F function) {
  if constexpr (std::is_void_v<typename ReleaseResult<F, A>::type>)
    return delay([value = std::move(value), function = std::move(function)] {
      try {
        callRelease<A>(function, *value->value());
        return Errors();
      } catch (...) {
        return errorsOfRelease(std::current_exception());
      }
    });
  else
    return stopToErrors<ReleaseCancelled>(
        suspend([value = std::move(value), function = std::move(function)]() -> UnitContinuation<Errors> {
          try {
            return toRelease(callRelease<A>(function, *value->value()));
          } catch (...) {
            return now(errorsOfRelease(std::current_exception()));
          }
        }));
}

/// The acquire of a program; no request to stop interrupts it.
template <class A>
auto maskedAcquire(const Do<A>& program) {
  return UnlessStopped(tapestry::mask(program.acquire()));
}

/// Registers attach(value), a Resource of a Try<B>, with the acquired value before any request to stop is
/// seen.
template <class B, class P, class F>
Do<B> registering(P acquire, F attach) {
  using AcquiredA = typename P::ValueType;
  using AcquiredB = typename Do<B>::Acquired;
  return Do<B>(UnitContinuation<AcquiredB>(
      std::move(acquire).map([attach = std::move(attach)](AcquiredA acquired) -> AcquiredB {
        if (!acquired.value.hasValue())
          return {Try<B>::failure(acquired.value.error()), std::move(acquired.release)};
        AcquiredB result = attach(std::move(acquired.value).takeBox());
        result.release = sequence<UnitContinuationMonad>(std::move(result.release), acquired.takeRelease());
        return result;
      })));
}

/// Makes a Do of a program that acquires an A: yields a copy of the A, and releases it by release(value).
template <class A, class P, class F>
Do<A> copiedResource(P acquire, F release) {
  return registering<A>(std::move(acquire),
                        [release = std::move(release)](ValueBox<Stored<A>> value) ->
                        typename Do<A>::Acquired {
                          auto kept = makeRef<ScopedValue<A>>(std::move(value));
                          auto copy = Try<A>::of([&]() -> A {
                            if constexpr (!std::is_void_v<A>) return *kept->value();
                          });
                          return {std::move(copy), releaseOf<A>(std::move(kept), release)};
                        });
}

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
