// Defines Unit, the type with one value, which represents void as the value of a program.
#pragma once

#include <type_traits>

#pragma GCC visibility push(default)
namespace tapestry {

/// The value of a program that yields nothing.
struct Unit {
  friend constexpr bool operator==(Unit, Unit) noexcept { return true; }
};

/// The stored type of a program's value A: A, or Unit where A is void.
template <class A>
using Stored = std::conditional_t<std::is_void_v<A>, Unit, A>;

}  // namespace tapestry
#pragma GCC visibility pop
