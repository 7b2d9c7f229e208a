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

/// Runs the first release, then the second; yields their errors in that order. If the first gives a value
/// back where the value is dropped, so does the result.
template <Monad M>
Release<M> sequence(Release<M> first, Release<M> second) {
  if (!first) return second;
  if (!second) return first;
  if constexpr (requires { M::isReturn(*first); }) {
    if (M::isReturn(*first)) {
      const auto* const parts = M::partsOf(*first);
      if (!parts) return M::returnThen(*std::move(first), *std::move(second));
      return M::returnThen(parts->returning, *sequence<M>(parts->rest, std::move(second)));
    }
  }
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

  /// Whether the value, such as an item from a channel, goes back to its source if no function gets it.
  /// Resources that are held beside the value are released in any case.
  bool isReturned() const noexcept {
    if constexpr (requires { M::isReturn(*release); }) return release && M::isReturn(*release);
    return false;
  }
  /// Takes the release when a function gets the value.
  Release<M> takeRelease() noexcept {
    if (isReturned()) release = rest();
    return std::exchange(release, std::nullopt);
  }
  /// Takes the release when a function gets the value, unless the value is an error, which no function gets.
  Release<M> takeReleaseOfValue() noexcept {
    if (isReturned() && errors().empty()) release = rest();
    return std::exchange(release, std::nullopt);
  }
  /// Takes the release when the value is dropped, after the value has gone back if it does.
  Release<M> takeReleaseUnused() noexcept {
    if constexpr (requires { M::takeBack(*release, value); })
      if (isReturned() && M::takeBack(*release, value)) release = rest();
    return std::exchange(release, std::nullopt);
  }
  /// Takes the release of all that is held beside the value. Leaves what gives the value back.
  Release<M> takeRest() noexcept {
    if (!isReturned()) return std::exchange(release, std::nullopt);
    Release<M> taken = rest();
    if constexpr (requires { M::isReturn(*release); })
      if (taken) release = Release<M>(M::partsOf(*release)->returning);
    return taken;
  }

  /// Adds errors of another release to the value. A value that they replace goes back to its source.
  void absorb(const Errors& added) {
    if (!added.empty() && isReturned() && errors().empty()) release = takeReleaseUnused();
    value.absorb(added);
  }

 private:
  /// The part of a returning release that releases what is held beside the value.
  Release<M> rest() const noexcept {
    if constexpr (requires { M::isReturn(*release); })
      if (const auto* const parts = M::partsOf(*release)) return parts->rest;
    return {};
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
