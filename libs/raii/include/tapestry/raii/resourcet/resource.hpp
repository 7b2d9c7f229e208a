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

namespace detail {

template <Monad M>
bool isReturn(const Release<M>& release) noexcept {
  if constexpr (requires { M::isReturn(*release); }) return release && M::isReturn(*release);
  return false;
}

/// Of a release that gives a value back: the release of what is held beside the value.
template <Monad M>
Release<M> restOf(const Release<M>& returning) noexcept {
  if constexpr (requires { M::isReturn(*returning); })
    if (const auto* const parts = M::partsOf(*returning)) return parts->rest;
  return {};
}

/// Takes a release whose value a function gets, which gives nothing back. Out of line, since each flatMap
/// asks for a release and few programs have one.
template <Monad M>
[[gnu::noinline]] Release<M> takeUsed(Release<M>& release) noexcept {
  if (isReturn<M>(release)) release = restOf<M>(release);
  return std::exchange(release, std::nullopt);
}

}  // namespace detail

/// The owner has to run the release exactly once.
template <Monad M, class A>
struct [[nodiscard]] Resource {
  Resource(A heldValue, Release<M> itsRelease)
      : value(std::move(heldValue)), release(std::move(itsRelease)) {}
  Resource(Resource&&) = default;
  Resource& operator=(Resource&&) = default;
  Resource(const Resource&) = default;
  Resource& operator=(const Resource&) = default;
  /// Inlined, so that compilers keep the members in registers, also in large translation units.
  [[gnu::always_inline]] ~Resource() {}

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
  bool isReturned() const noexcept { return detail::isReturn<M>(release); }
  /// Takes the release when a function gets the value.
  Release<M> takeRelease() noexcept { return release ? detail::takeUsed<M>(release) : Release<M>(); }
  /// Takes the release when a function gets the value, unless the value is an error, which no function gets.
  Release<M> takeReleaseOfValue() noexcept {
    if (!release) [[likely]]
      return {};
    return errors().empty() ? detail::takeUsed<M>(release) : std::exchange(release, std::nullopt);
  }
  /// Takes the release when the value is dropped, after the value has gone back if it does.
  Release<M> takeReleaseUnused() noexcept {
    if constexpr (requires { M::takeBack(*release, value); })
      if (isReturned() && M::takeBack(*release, value)) release = detail::restOf<M>(release);
    return std::exchange(release, std::nullopt);
  }
  /// Puts function(release) in place of the release of all that is held beside the value.
  template <class F>
  void mapRest(F function) {
    if (Release<M> rest = takeRest()) release = sequence<M>(std::move(release), function(*std::move(rest)));
  }
  /// Puts function(release) in place of what gives the value back to its source.
  template <class F>
  void mapReturn(F function) {
    Release<M> rest = takeRest();
    if (release) release = function(*std::move(release));
    release = sequence<M>(std::move(release), std::move(rest));
  }

  /// Adds errors of another release to the value. A value that they replace goes back to its source.
  void absorb(const Errors& added) {
    if (!added.empty() && isReturned() && errors().empty()) release = takeReleaseUnused();
    value.absorb(added);
  }

 private:
  /// Takes the release of all that is held beside the value. Leaves what gives the value back.
  Release<M> takeRest() noexcept {
    if (!isReturned()) return std::exchange(release, std::nullopt);
    Release<M> rest = detail::restOf<M>(release);
    if constexpr (requires { M::isReturn(*release); })
      if (rest) release = Release<M>(M::partsOf(*release)->returning);
    return rest;
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
