// Defines AnyOperand, Unfit and NoOperand, the parameters of deleted operators that show the expected
// operands.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class T>
inline constexpr bool isHandle = false;
template <class Data>
inline constexpr bool isHandle<Layer<Data>> = true;
template <class Data>
inline constexpr bool isHandle<Weight<Data>> = true;

/// A weight, a layer or a tensor: its operators are this library's.
template <class T>
concept Operand = isHandle<T> || (Numeric<T> && !std::floating_point<T>);

// An overload with these parameters is chosen when no other is viable, here and among overloads that users
// declare for their types: both operands have to be converted, and overloads that are no templates are
// preferred.
//
//     template <class = void>
//     void operator+(  // expected ...
//         detail::AnyOperand, detail::Unfit) = delete;
//
// Compilers show the line of its name.

/// Converts from every Operand.
struct AnyOperand {
  template <Operand A>
  AnyOperand(const A&) noexcept;
};

/// Converts from every type: the right operand of a deleted operator.
struct Unfit {
  template <class B>
  Unfit(const B&) noexcept;
};

/// Converts from every type that is not an Operand, as the left operand of an Operand.
struct NoOperand {
  template <class B>
    requires(!Operand<B>)
  NoOperand(const B&) noexcept;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
