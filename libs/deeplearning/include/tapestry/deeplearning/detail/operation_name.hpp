// Defines OperationName, a string as a template argument.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry {

/// The name of an operation in errors and traces.
template <std::size_t N>
struct OperationName {
  consteval OperationName(const char (&text)[N]) { std::ranges::copy(text, characters); }
  constexpr std::string_view view() const noexcept { return {characters, N - 1}; }
  char characters[N]{};
};

}  // namespace tapestry
#pragma GCC visibility pop
