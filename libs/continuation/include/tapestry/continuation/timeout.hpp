// Defines timeout, which ends a program that takes too long.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "tapestry/continuation/race.hpp"
#include "tapestry/continuation/sleep_for.hpp"

namespace tapestry {

/// Yields the value, or nothing if the program takes longer than the duration, by the run's clock: then it is
/// asked to stop. It completes only when the program has ended.
template <detail::Program P>
[[nodiscard]] auto timeout(P program, Clock::Duration duration) {
  using A = Stored<typename P::ValueType>;
  return race(std::move(program), sleepFor(duration))
      .map([](std::variant<A, Unit> first) -> std::optional<A> {
        if (first.index() != 0) return std::nullopt;
        return std::get<0>(std::move(first));
      });
}

}  // namespace tapestry
