// Defines tailRecM of Do, a loop whose body is a program that may fail.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

namespace detail {

template <class F, class A>
concept StepsByDo = Accepts<F, A> && isDo<ResultOf<F, A>>;

template <class T>
inline constexpr bool isStep = false;
template <class A, class B>
inline constexpr bool isStep<Step<A, B>> = true;

template <class A, class B, class F>
Do<B> tailRecMOfDo(const F& body, A state) {
  return body(std::move(state)).flatMap([body](Step<A, B> step) -> Do<B> {
    if (!step.isDone()) return detail::tailRecMOfDo<A, B>(body, std::move(step.state()));
    return Do<B>::delay([once = Once<Stored<B>>(std::move(step.result()))]() -> B {
      if constexpr (!std::is_void_v<B>) return once.take();
    });
  });
}

}  // namespace detail

/// As tailRecM of programs that cannot fail, with a body that returns a Do of a Step<A, B>: an error ends the
/// loop. The state is copied once in each run. What a round acquires stays until the scope ends; give the
/// body's program a scope of its own, by `run()`, for constant memory then too.
template <class A, class F>
  requires detail::StepsByDo<F, A>
[[nodiscard("a program does nothing until it is run")]] auto tailRecM(
    A state, F body, detail::Location = detail::Location::current()) {
  using Next = typename detail::ResultOf<F, A>::ValueType;
  constexpr bool steps = detail::isStep<Next> || std::is_same_v<Next, detail::Anything>;
  static_assert(steps, "tapestry::tailRecM: the body does not yield a Step, expected a Do of Step<A, B>");
  constexpr bool copies = std::is_copy_constructible_v<A> && std::is_copy_constructible_v<F>;
  static_assert(copies,
                "tapestry::tailRecM: every run needs a copy of the state, and each round one of the body");
  if constexpr (detail::isStep<Next> && copies) {
    using B = typename detail::StepTypes<Next>::Result;
    return Do<B>::suspend([state = std::move(state), body = std::move(body)] {
      return detail::tailRecMOfDo<A, B>(body, state);
    });
  } else {
    return detail::AnyDo();  // the static_assert has said it all
  }
}

}  // namespace tapestry
