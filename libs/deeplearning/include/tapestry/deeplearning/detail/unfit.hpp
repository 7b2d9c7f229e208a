// Defines AnyOperand, Unfit and NoOperand, the parameters of operators that refuse, and say what they expect.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"

namespace tapestry::detail {

template <class T>
inline constexpr bool isHandle = false;
template <class Data>
inline constexpr bool isHandle<Layer<Data>> = true;
template <class Data>
inline constexpr bool isHandle<Weight<Data>> = true;

/// A weight, a layer, a tensor: what makes an operator one of this library's.
template <class T>
concept Operand = isHandle<T> || (Numeric<T> && !std::floating_point<T>);

// An overload whose parameters are these is chosen when no other is viable, here and in what users declare
// for types of their own: both operands have to be converted, and overloads that are no templates go before
// it.
//
//     template <class = void>
//     void operator+(  // expected ...
//         detail::AnyOperand, detail::Unfit) = delete;
//
// Compilers show the line of its name.

/// Stands for an Operand.
struct AnyOperand {
  template <Operand A>
  AnyOperand(const A&) noexcept;
};

/// Stands for what an Operand on its left cannot meet.
struct Unfit {
  template <class B>
  Unfit(const B&) noexcept;
};

/// Stands for a type that is no Operand, on the left of an Operand.
struct NoOperand {
  template <class B>
    requires(!Operand<B>)
  NoOperand(const B&) noexcept;
};

}  // namespace tapestry::detail
