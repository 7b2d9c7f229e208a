// Defines tailRecM of Do, a loop whose body is a program that may fail.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class F, class A>
concept MakesDoOfStep = Accepts<F, A> && isDo<ResultOf<F, A>> &&
                        requires { typename StepTypes<typename ResultOf<F, A>::ValueType>::Result; };

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
/// loop. The state is copied once in each run. The resources of a round stay until the scope ends; to keep
/// memory constant then too, give the body's program a separate scope, by `run()`.
template <class A, class F>
  requires detail::MakesDoOfStep<F, A> && detail::roundsCopy<A, F>
[[nodiscard("a program does nothing until it is run")]] auto tailRecM(
    A state, F body, detail::Location location = detail::Location::current()) {
  using B = typename detail::StepTypes<typename detail::ResultOf<F, A>::ValueType>::Result;
  auto loop = Do<B>::suspend(
      [state = std::move(state), body = std::move(body)] { return detail::tailRecMOfDo<A, B>(body, state); });
  return Do<B>(detail::stopToError<B>(std::move(loop).acquire(), extend::At{"tailRecM", location}));
}

}  // namespace tapestry
#pragma GCC visibility pop
