// Defines tuple2, tupleN and parSequence for Do, which run programs in sequence or in parallel and hold the
// resources of all.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/raii/detail/do_join.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The program itself if it is a Do, else the Do that it is lifted to.
template <class P>
auto toDo(P program) {
  if constexpr (isDo<P>)
    return program;
  else
    return Do<typename P::ValueType>::lift(std::move(program));
}

/// Whether all are programs, and at least one of them is a Do.
template <class... Ps>
inline constexpr bool someAreDos = (isDo<Ps> || ...) && (... && (isDo<Ps> || Program<Ps>));

}  // namespace detail

/// Runs the first, then the second, and yields both values.
template <class A, class B>
[[nodiscard("a program does nothing until it is run")]] Do<std::tuple<Stored<A>, Stored<B>>> tuple2(
    const Do<A>& first, const Do<B>& second) {
  return first.map([](auto&&... value) { return Stored<A>(std::move(value)...); })
      .flatMap([second](Stored<A> a) {
        return second.map([once = detail::Once<Stored<A>>(std::move(a))](auto&&... b) {
          return std::tuple<Stored<A>, Stored<B>>(once.take(), Stored<B>(std::move(b)...));
        });
      });
}

/// Runs the programs in parallel as far as the environment has idle workers, and yields all values, in order;
/// their resources are released in parallel. When a program fails, the others are cancelled; when all have
/// ended, their resources are released, and the errors are delivered in argument order. Programs that cannot
/// fail may be among them.
template <class... Ps>
  requires detail::someAreDos<Ps...>
[[nodiscard("a program does nothing until it is run")]] Do<std::tuple<Stored<typename Ps::ValueType>...>>
tupleN(Parallel<Ps>... programs) {
  return detail::joinTuple<detail::FailedTry>({"tupleN", detail::locationOf(programs...)},
                                              detail::toDo(std::move(programs.program))...);
}

template <class P, class Q>
  requires detail::someAreDos<P, Q>
[[nodiscard("a program does nothing until it is run")]] auto tuple2(Parallel<P> first, Parallel<Q> second) {
  return tapestry::tupleN(std::move(first), std::move(second));
}

/// As tupleN, for a vector.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<std::vector<Stored<A>>> parSequence(
    const std::vector<Do<A>>& programs, detail::Location location = detail::Location::current()) {
  return detail::joinRange<detail::FailedTry>(programs, {"parSequence", location});
}

void parSequence(...) = delete;  // expected a std::vector of Do<A>

}  // namespace tapestry
#pragma GCC visibility pop
