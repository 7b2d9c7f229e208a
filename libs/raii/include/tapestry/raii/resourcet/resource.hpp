// Defines Resource, a value together with the computation that releases it.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/continuation/monad/monad.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A computation that releases, and yields the errors that occurred; it does not fail. An empty Release has
/// nothing to do.
template <Monad M>
using Release = std::optional<typename M::template Type<Errors>>;

/// Runs the first release, then the second; yields their errors in that order.
template <Monad M>
Release<M> sequence(Release<M> first, Release<M> second) {
  if (!first) return second;
  if (!second) return first;
  return typename M::template Type<Errors>(M::flatMap(
      *std::move(first), [second = *std::move(second)](Errors errors) -> typename M::template Type<Errors> {
        return M::map(second, detail::after(std::move(errors)));
      }));
}

/// The owner has to run the release exactly once.
template <Monad M, class A>
struct [[nodiscard]] Resource {
  A value;
  Release<M> release;

  /// For a run that is asked to stop while it holds this: it runs abandon(), and stops with errors().
  typename M::template Type<Errors> abandon() {
    auto left = errors().empty() ? takeReleaseUnused() : takeRelease();
    if (!left) return M::now(Errors());
    return *std::move(left);
  }
  Errors errors() const {
    if constexpr (requires { std::exception_ptr(value.error()); })
      if (value.error()) return Errors(value.error());
    return Errors();
  }

  /// Whether the value, such as an item from a channel, goes back to its source if no function gets it. Such
  /// a value needs no other release.
  bool isReturned() const noexcept {
    if constexpr (requires { M::isReturn(*release); }) return release && M::isReturn(*release);
    return false;
  }
  /// Takes the release when a function gets the value.
  Release<M> takeRelease() noexcept {
    if (isReturned()) release.reset();
    return std::exchange(release, std::nullopt);
  }
  /// Takes the release when a function gets the value, unless the value is an error, which no function gets.
  Release<M> takeReleaseOfValue() noexcept {
    if (isReturned() && errors().empty()) release.reset();
    return std::exchange(release, std::nullopt);
  }
  /// Takes the release when the value is dropped; takes none if the value has gone back.
  Release<M> takeReleaseUnused() noexcept {
    if constexpr (requires { M::takeBack(*release, value); })
      if (isReturned() && M::takeBack(*release, value)) release.reset();
    return std::exchange(release, std::nullopt);
  }

  /// Adds errors of another release to the value. A value that they replace goes back to its source.
  void absorb(const Errors& added) {
    // a release that returns its value has nothing else to release
    if (!added.empty() && isReturned() && errors().empty()) static_cast<void>(takeReleaseUnused());
    value.absorb(added);
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
