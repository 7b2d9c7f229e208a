// Defines madeOf and makingDo, which classify and adapt the functions that are given to Do::flatMap.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Do;

namespace detail {

template <class T>
inline constexpr bool isDo = isInstance<Do, T>;
template <class T>
inline constexpr bool isTry = isInstance<Try, T>;

/// The result of a function: a Do; a program that cannot fail, which is lifted; a program of a Try or of a
/// Resource, which is ambiguous as a Do; a layer, from which forward makes a Do; or a plain value. `nothing`
/// is for functions that do not accept the value.
enum class Made { aDo, program, either, layer, plain, nothing };

template <class R>
constexpr Made madeFrom() {
  if constexpr (isDo<R>) {
    return Made::aDo;
  } else if constexpr (Program<R>) {
    using A = typename R::ValueType;
    return isTry<A> || isInstance<Resource, A> ? Made::either : Made::program;
  } else if constexpr (requires(const R& layer) { requires isDo<decltype(forward(layer))>; }) {
    return Made::layer;
  } else {
    return Made::plain;
  }
}

template <class F, class A>
inline constexpr Made madeOf = Made::nothing;
template <class F, class A>
  requires Accepts<F, A>
inline constexpr Made madeOf<F, A> = madeFrom<ResultOf<F, A>>();

template <class F, class A>
inline constexpr bool isMadeDo = madeOf<F, A> == Made::aDo || madeOf<F, A> == Made::program;

/// The function, which is moved from, adapted to return a Do.
template <class A, class F>
auto makingDo(F& function) {
  if constexpr (madeOf<F, A> == Made::program)
    return [function = std::move(function)](auto&&... value) {
      return Do<typename ResultOf<F, A>::ValueType>::lift(function(std::forward<decltype(value)>(value)...));
    };
  else
    return F(std::move(function));
}

/// The Do that the adapted function returns for an A.
template <class F, class A>
using MadeDo = Do<typename ResultOf<F, A>::ValueType>;

}  // namespace detail
}  // namespace tapestry
#pragma GCC visibility pop
