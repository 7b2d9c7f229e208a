// Defines Resource, a value together with the computation that releases it.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/continuation/monad/monad.hpp"

namespace tapestry {

/// Releases, and yields the errors that it met on the way; it does not fail. None means that there is nothing
/// to do.
template <Monad M>
using Release = std::optional<typename M::template Type<Errors>>;

/// Releases the first, then the second; errors in that order.
template <Monad M>
Release<M> sequence(Release<M> first, Release<M> second) {
  if (!first) return second;
  if (!second) return first;
  return typename M::template Type<Errors>(M::flatMap(
      *std::move(first), [second = *std::move(second)](Errors errors) -> typename M::template Type<Errors> {
        return M::map(second, [errors = std::move(errors)](const Errors& more) {
          Errors all = errors;
          all.append(more);
          return all;
        });
      }));
}

/// Precondition of its owner: the release is run exactly once.
template <Monad M, class A>
struct [[nodiscard]] Resource {
  A value;
  Release<M> release;

  /// Where a run is asked to stop with this in hand, it runs the one and stops with the other.
  typename M::template Type<Errors> abandon() {
    auto left = takeReleaseUnused();
    if (!left) return M::now(Errors());
    return *std::move(left);
  }
  Errors errors() const {
    if constexpr (requires { value.error(); })
      if (value.error()) return Errors(value.error());
    return Errors();
  }

  /// Whether the value, such as an item from a channel, goes back where no function gets it. It needs no
  /// release then.
  bool isReturned() const noexcept {
    if constexpr (requires { M::isReturn(*release); }) return release && M::isReturn(*release);
    return false;
  }
  /// The release, for a function gets the value.
  Release<M> takeRelease() noexcept {
    if (isReturned()) release.reset();
    return std::exchange(release, std::nullopt);
  }
  /// The release, for the value is dropped; or, when the value has gone back, nothing.
  Release<M> takeReleaseUnused() noexcept {
    if constexpr (requires { M::takeBack(*release, value); })
      if (isReturned() && M::takeBack(*release, value)) release.reset();
    return std::exchange(release, std::nullopt);
  }
};

}  // namespace tapestry
