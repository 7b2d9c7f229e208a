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
  requires detail::releases<F, A> && (std::is_void_v<A> || std::copy_constructible<A>)
[[nodiscard("a program does nothing until it is run")]] Do<A> cancellableResource(const Do<A>& acquire,
                                                                                  F release) {
  return detail::copiedResource<A>(acquire.acquire(), std::move(release));
}

void cancellableResource(...) = delete;  // expected a Do<A>, A copyable, f(A&), const, of void or a program

}  // namespace tapestry
