// Defines cancellableResource, a resource whose acquire a request to stop may interrupt.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/raii/detail/registering.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// As resource, but the acquire is not masked: it sees a request to stop at each of its steps, and then has
/// to clean up after itself. A value that it has yielded is always released. For an acquire that may wait for
/// long.
template <class A, class F>
  requires detail::releases<F, A> && (std::is_void_v<A> || std::copy_constructible<A>)
[[nodiscard("a program does nothing until it is run")]] Do<A> cancellableResource(const Do<A>& acquire,
                                                                                  F release) {
  return detail::copiedResource<A>(acquire.acquire(), std::move(release));
}

void cancellableResource(...) = delete;  // expected a Do<A>, A copyable, f(A&), const, of void or a program

}  // namespace tapestry
#pragma GCC visibility pop
