// Defines AnyArgument, the first parameter of a deleted overload beside an overload without parameters.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
