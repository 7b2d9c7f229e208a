// Defines parallel, the tag of a program that may run in parallel with others.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A program, of this or another library, that is to run in parallel with the other parts of a `tuple2`.
template <class P>
struct Parallel {
  P program;
  detail::Location location = {};  ///< of the call of `parallel`, for dumpRuns
};

/// tuple2(parallel(a), parallel(b)) runs a and b in parallel; without the tag they run one after the other.
template <class P>
[[nodiscard("a program does nothing until it is run")]] Parallel<P> parallel(
    P program, detail::Location location = detail::Location::current()) {
  return {std::move(program), location};
}

namespace detail {

/// The place where parallel programs were combined: the first one's, since they are mostly on one line.
inline Location locationOf() noexcept { return {}; }
template <class P, class... Ps>
Location locationOf(const Parallel<P>& first, const Parallel<Ps>&...) noexcept {
  return first.location;
}

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
