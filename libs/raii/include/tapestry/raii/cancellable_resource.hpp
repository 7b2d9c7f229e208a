// Defines cancellableResource, a resource whose acquire a request to stop may interrupt.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/raii/detail/registering.hpp"

namespace tapestry {

/// As resource, but the acquire is not masked: when the run is asked to stop, it sees that at each of its
/// steps, and has to clean up after itself. What it has yielded is released, as ever. For an acquire that may
/// wait for long.
template <class A, class F>
[[nodiscard("a program does nothing until it is run")]] Do<A> cancellableResource(const Do<A>& acquire,
                                                                                  F release) {
  constexpr bool takes = detail::takesValue<F, A>;
  static_assert(takes,
                "tapestry::cancellableResource: expected a release function f(value&), const, not mutable");
  constexpr bool releases = !takes || detail::releases<F, A>;
  static_assert(releases,
                "tapestry::cancellableResource: the release function must return nothing, or a program");
  constexpr bool copies = std::is_void_v<A> || std::copy_constructible<A>;
  static_assert(copies,
                "tapestry::cancellableResource: the value is copied, one for the caller and one for the "
                "release, expected one that can be copied");
  if constexpr (takes && releases && copies)
    return detail::copiedResource<A>(acquire.acquire(), std::move(release));
  else
    return acquire;
}

}  // namespace tapestry
