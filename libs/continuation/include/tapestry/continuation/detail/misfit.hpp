// Defines Misfit, by which a combinator that is called with something wrong says in one line what it expects.
#pragma once

#include "tapestry/continuation/detail/program_operations.hpp"

namespace tapestry::detail {

/// What stands where an error has been told, so that it is the only one.
struct Anything {
  template <class T>
  operator T() const;
};

/// Takes the place of arguments in an overload that is chosen when no other is viable, here and in what the
/// user declares by the same name, since everything converts to it, and nothing is one:
///
///     template <class T = void>
///     detail::Misfit mask(detail::Misfit) {
///       static_assert(detail::fits<T>, "tapestry::mask: expected a program");
///       return {};
///     }
///
/// It is a program of anything, so that the use of what is returned is no further error.
struct Misfit : ProgramOperations<Misfit> {
  using ValueType = Anything;

  template <class... Ts>
  Misfit(const Ts&...) noexcept {}

  void step(Run& run, const Node* owned) const;  // never called
};

template <class>
inline constexpr bool fits = false;

}  // namespace tapestry::detail
