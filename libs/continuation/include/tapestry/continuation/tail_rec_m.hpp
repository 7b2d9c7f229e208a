// Defines tailRecM, a loop whose body is a program, and Step, by which the body says whether to go on.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

/// Either the next state of a loop (A), or its result (B).
template <class A, class B>
class Step {
 public:
  static Step next(A state) { return Step(std::in_place_index<0>, std::move(state)); }
  static Step done(Stored<B> result = {}) { return Step(std::in_place_index<1>, std::move(result)); }

  bool isDone() const noexcept { return either_.index() == 1; }
  A& state() { return std::get<0>(either_); }
  Stored<B>& result() { return std::get<1>(either_); }

 private:
  template <std::size_t I, class V>
  Step(std::in_place_index_t<I> index, V value) : either_(index, std::move(value)) {}

  std::variant<A, Stored<B>> either_;
};

namespace detail {

template <class T>
struct StepTypes;
template <class A, class B>
struct StepTypes<Step<A, B>> {
  using Result = B;
};

template <class P>
concept YieldsStep = Program<P> && requires { typename StepTypes<typename P::ValueType>::Result; };
template <class F, class A>
concept StepsFrom = YieldsStep<ResultOf<F, A>>;

template <class A, class F>
auto tailRecM(const F& body, A state, Location location)
    -> UnitContinuation<typename StepTypes<typename ResultOf<F, A>::ValueType>::Result> {
  using Next = ResultOf<F, A>;
  using S = typename Next::ValueType;
  using B = typename StepTypes<S>::Result;
  return callNoThrow<A>("tailRecM", location, body, std::move(state))
      .flatMap(
          [body, location](S step) -> UnitContinuation<B> {
            if (!step.isDone()) return detail::tailRecM<A>(body, std::move(step.state()), location);
            if constexpr (std::copy_constructible<Stored<B>>)
              return detail::Now<B>(std::move(step.result()), location);
            else
              return delay([once = Once<B>(std::move(step.result()))] { return once.take(); });
          },
          location);
}

}  // namespace detail

/// Repeats body(state), a program that yields a Step<A, B>, until it is done; in constant memory. The body is
/// copied in each round and must not throw.
template <class A, class F>
[[nodiscard("a program does nothing until it is run")]] auto tailRecM(
    A state, F body, detail::Location location = detail::Location::current()) {
  constexpr bool accepted = detail::Accepts<F, A>;
  static_assert(
      accepted,
      "tapestry::tailRecM: the body does not accept the state, expected f(state), const, not mutable");
  constexpr bool steps = !accepted || detail::StepsFrom<F, A> || detail::ReturnsAnything<F, A>;
  static_assert(steps,
                "tapestry::tailRecM: the body does not yield a Step, expected a program of Step<A, B>");
  constexpr bool copies = std::is_copy_constructible_v<A> && std::is_copy_constructible_v<F>;
  static_assert(copies,
                "tapestry::tailRecM: every run needs a copy of the state, and each round one of the body");
  if constexpr (accepted && steps && copies && !detail::ReturnsAnything<F, A>)
    return suspend([state = std::move(state), body = std::move(body), location] {
      return detail::tailRecM<A>(body, state, location);
    });
  else
    return detail::AnyProgram();  // the static_assert has said it all
}

}  // namespace tapestry
