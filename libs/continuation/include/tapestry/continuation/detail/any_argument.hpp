// Defines AnyArgument, the first parameter of a deleted overload beside one that takes no argument.
#pragma once

namespace tapestry::detail {

/// A function that is called with what it does not accept is refused by a deleted overload, so that
/// `requires` sees the refusal, and compilers show the line of the declaration, which says what was expected:
///
///     void delay(...) = delete;  // expected a function that takes no argument
///
/// An ellipsis is the worst conversion, so this overload is chosen only when no other is viable, here and
/// among those of users. Without an argument there is no conversion; where such a call is right, this
/// parameter stands before the ellipsis, in a template, which is worse than a function that converts the
/// argument in another way.
struct AnyArgument {
  template <class T>
  AnyArgument(const T&) noexcept;
};

}  // namespace tapestry::detail
