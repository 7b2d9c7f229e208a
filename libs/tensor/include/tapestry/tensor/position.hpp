// Defines positionOf, which resolves an index or axis that may count from the end.
#pragma once

#include <cstddef>
#include <optional>

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the position of `index` within `extent`, counted from the end if negative, where the last is -1.
/// Returns nothing for an index beyond either end.
constexpr std::optional<std::size_t> positionOf(std::ptrdiff_t index, std::size_t extent) noexcept {
  const auto size = static_cast<std::ptrdiff_t>(extent);
  if (index < -size || index >= size) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

}  // namespace tapestry
#pragma GCC visibility pop
