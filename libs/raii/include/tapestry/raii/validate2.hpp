// Defines validate2, validateN and parValidate, which run all programs to their end and keep all errors.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Returns both values, or the errors, in argument order. Does not throw the errors, which costs
/// microseconds.
template <class A, class B>
Try<std::tuple<Stored<A>, Stored<B>>> bothOrErrors(Try<A> a, Try<B> b) {
  using Both = Try<std::tuple<Stored<A>, Stored<B>>>;
  if (a.hasValue() && b.hasValue()) return Both::success({std::move(a.get()), std::move(b.get())});
  Errors errors;
  if (!a.hasValue()) errors.append(a.error());
  if (!b.hasValue()) errors.append(b.error());
  return Both::failure(errors.toException());
}

/// Fails with the error in the Try: the inverse of `attempt`.
template <class A>
Do<A> valueOrFailure(Do<Try<A>> program) {
  return Do<A>(std::move(program).acquire().map([](extend::Acquired<Try<A>> acquired) {
    Try<A> result =
        acquired.value.hasValue() ? std::move(acquired.value.get()) : Try<A>::failure(acquired.value.error());
    return extend::Acquired<A>{std::move(result), std::move(acquired.release)};
  }));
}

}  // namespace detail

/// Runs the first program, then the second even if the first has failed, and yields both values. Two errors
/// become one MultipleException, in argument order, even if they are the same. The resources of both stay
/// until the scope ends.
template <class A, class B>
[[nodiscard("a program does nothing until it is run")]] Do<std::tuple<Stored<A>, Stored<B>>> validate2(
    const Do<A>& first, const Do<B>& second) {
  return first.attempt().flatMap([second](Try<A> a) {
    return detail::valueOrFailure(second.attempt().map([once = detail::Once<Try<A>>(std::move(a))](Try<B> b) {
      return detail::bothOrErrors<A, B>(once.take(), std::move(b));
    }));
  });
}

/// As tupleN, but a program that fails does not cancel the others: all run to their end, and all their errors
/// are delivered in argument order. A request to stop, or a program that is cancelled, cancels all.
template <class... As>
[[nodiscard("a program does nothing until it is run")]] Do<std::tuple<Stored<As>...>> validateN(
    Parallel<Do<As>>... programs) {
  return detail::joinTuple<detail::NeverFails>({"validateN", detail::locationOf(programs...)},
                                               programs.program...);
}

template <class A, class B>
[[nodiscard("a program does nothing until it is run")]] auto validate2(Parallel<Do<A>> first,
                                                                       Parallel<Do<B>> second) {
  return validateN(std::move(first), std::move(second));
}

/// As validateN, for a vector.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<std::vector<Stored<A>>> parValidate(
    const std::vector<Do<A>>& programs, detail::Location location = detail::Location::current()) {
  return detail::joinRange<detail::NeverFails>(programs, {"parValidate", location});
}

}  // namespace tapestry
#pragma GCC visibility pop
