// Defines inScope, which uses the value of a Do in a separate scope.
#pragma once

#include <utility>

#include "tapestry/raii/direct_style.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class>
inline constexpr bool isCoroutine = false;
template <class A>
inline constexpr bool isCoroutine<Coroutine<A>> = true;

/// The function returns a Do, a program, a Coroutine, or another value. The resources of its result, and then
/// those of the value, are released before this yields.
template <class A, class F>
auto inScope(const Do<A>& acquire, F function) {
  using Result = ResultOf<F, const A&>;
  if constexpr (isCoroutine<Result>)
    return acquire
        .flatMap([function = std::move(function)](const A& value) {
          return direct<Do>([function, value] { return function(value); });
        })
        .run();
  else if constexpr (madeOf<F, const A&> == Made::plain)
    return acquire.map(std::move(function)).run();
  else
    return acquire.flatMap(std::move(function)).run();
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
