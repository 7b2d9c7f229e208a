// Defines tailRecM, a loop whose body is a program, and Step, with which the body says whether to continue.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/continuation/suspend.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Either the next state of a loop (A), or its result (B).
template <class A, class B>
class Step {
 public:
  /// The loop continues with this state.
  static Step next(A state) { return Step(std::in_place_index<0>, std::move(state)); }
  /// The loop ends with this result.
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

template <class F, class A>
concept MakesStep =
    MakesProgram<F, A> && requires { typename StepTypes<typename ResultOf<F, A>::ValueType>::Result; };

/// Whether the state can be copied for each run, and the body for each round.
template <class A, class F>
inline constexpr bool roundsCopy = std::is_copy_constructible_v<A> && std::is_copy_constructible_v<F>;

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

/// Repeats body(state), a program that yields a Step<A, B>, until it is done; in constant memory. The state
/// is copied in each run, and the body in each round; the copies and the body must not throw.
template <class A, class F>
  requires detail::MakesStep<F, A> && detail::roundsCopy<A, F>
[[nodiscard("a program does nothing until it is run")]] auto tailRecM(
    A state, F body, detail::Location location = detail::Location::current()) {
  return suspend([state = std::move(state), body = std::move(body), location] {
    return detail::tailRecM<A>(body, detail::copyNoThrow("tailRecM", location, state), location);
  });
}

// The state and the body are copied in every run.
void tailRecM(...) = delete;  // expected a state A to copy, and body(A), const, a program of Step<A, B>

}  // namespace tapestry
#pragma GCC visibility pop
