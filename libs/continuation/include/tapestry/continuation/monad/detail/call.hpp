// Defines call, which calls a user's function with a value that may be void, isInstance, and AnyArgument, a
// parameter of deleted overloads.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/monad/unit.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class F, class A>
struct ResultOfImpl : std::invoke_result<const F&, A> {};
template <class F>
struct ResultOfImpl<F, void> : std::invoke_result<const F&> {};
/// The function's result type without reference and cv-qualifiers.
template <class F, class A>
using ResultOf = std::remove_cvref_t<typename ResultOfImpl<F, A>::type>;

/// Whether T is an instance of the template.
template <template <class...> class Template, class T>
inline constexpr bool isInstance = false;
template <template <class...> class Template, class... As>
inline constexpr bool isInstance<Template, Template<As...>> = true;

/// Whether the function can be called with call syntax, which excludes pointers to members.
template <class F, class A>
concept Accepts = (std::is_void_v<A> && requires(const F& function) { function(); }) ||
                  requires(const F& function) { function(std::declval<A>()); };

// One value, so that compilers report in one line that it is false.
template <class F, class A>
inline constexpr bool accepts = Accepts<F, A>;

/// Calls a user's function with a value, or with nothing where A is void. May throw.
template <class A, class F>
Stored<ResultOf<F, A>> call(const F& function, Stored<A>&& value) {
  if constexpr (std::is_void_v<ResultOf<F, A>>) {
    if constexpr (std::is_void_v<A>)
      function();
    else
      function(std::move(value));
    return Unit{};
  } else {
    if constexpr (std::is_void_v<A>)
      return function();
    else
      return function(std::move(value));
  }
}

/// Calls with wrong arguments select a deleted overload, so that `requires` sees the refusal, and compilers
/// show the line of its declaration, which names the expected arguments:
///
///     void delay(...) = delete;  // expected a function that takes no argument
///
/// An ellipsis is the worst conversion, so this overload is chosen only when no other is viable, of the
/// library or of users. A call without an argument needs no conversion and would match the ellipsis. If such
/// a call is valid, the deleted overload is a template with this parameter before the ellipsis, which is a
/// worse match than a function that converts the argument in another way.
struct AnyArgument {
  template <class T>
  AnyArgument(const T&) noexcept;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
