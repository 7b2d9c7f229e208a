// Defines TAPESTRY_CALLABLE, TAPESTRY_ACCEPTS and TAPESTRY_MEMBER_CALLABLE, which ask as a user's `requires`
// does whether a call is well-formed.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

// Whether tapestry::NAME(arguments of these types...) is well-formed; NAME may have template arguments in
// parentheses, as (async<int>).
#define TAPESTRY_CALLABLE(NAME, ...)                                       \
  (std::invocable<decltype([](auto&&... arguments) requires requires {     \
                    NAME(std::forward<decltype(arguments)>(arguments)...); \
                  } {}), __VA_ARGS__>)

// Asserts that NAME accepts arguments of the types TAKEN, and refuses those of REFUSED, both in parentheses.
#define TAPESTRY_ACCEPTS(NAME, TAKEN, REFUSED)                         \
  static_assert(TAPESTRY_CALLABLE_OF(NAME, TAPESTRY_TYPES_IN TAKEN) && \
                !TAPESTRY_CALLABLE_OF(NAME, TAPESTRY_TYPES_IN REFUSED))
#define TAPESTRY_CALLABLE_OF(NAME, ...) TAPESTRY_CALLABLE(NAME, __VA_ARGS__)
#define TAPESTRY_TYPES_IN(...) __VA_ARGS__

// Whether object.NAME(arguments of these types...) is well-formed, for an object of the first type. A name
// that does not exist is refused, too: beside each line that refuses, have a line that accepts.
#define TAPESTRY_MEMBER_CALLABLE(NAME, ...)                                           \
  (std::invocable<decltype([](auto&& object, auto&&... arguments) requires requires { \
                    std::forward<decltype(object)>(object).NAME(                      \
                        std::forward<decltype(arguments)>(arguments)...);             \
                  } {}), __VA_ARGS__>)

/// An argument that fits nowhere.
struct Nothing {};

/// A function that is mutable, as a lambda may be.
template <class R, class... As>
struct Mutable {
  R operator()(As... arguments);
};

/// A function that cannot be copied.
template <class R, class... As>
struct Unique {
  R operator()(As... arguments) const;
  std::unique_ptr<int> held;
};
