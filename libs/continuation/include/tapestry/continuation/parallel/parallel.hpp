// Defines parallel, the tag of a program that may run beside others.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

/// A program, or whatever is one to some library, that is to run in parallel with the other parts of a
/// `tuple2`.
template <class P>
struct Parallel {
  P program;
  detail::Location location = {};  ///< where it was made, for dumpRuns
};

/// tuple2(parallel(a), parallel(b)) runs a and b side by side; without the tag they run one after the other.
template <class P>
[[nodiscard("a program does nothing until it is run")]] Parallel<P> parallel(
    P program, detail::Location location = detail::Location::current()) {
  return {std::move(program), location};
}

namespace detail {

/// Where parallel programs were put together, which is on one line mostly.
inline Location locationOf() noexcept { return {}; }
template <class P, class... Ps>
Location locationOf(const Parallel<P>& first, const Parallel<Ps>&...) noexcept {
  return first.location;
}

}  // namespace detail

}  // namespace tapestry
