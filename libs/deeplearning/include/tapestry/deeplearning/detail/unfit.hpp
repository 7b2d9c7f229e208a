// Defines UnfitFor and NoOperand, by which operators say in one line what they expect.
#pragma once

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/deeplearning/numeric.hpp"

namespace tapestry::detail {

/// A weight, a layer, a tensor: what makes an operator one of this library's.
template <class T>
concept Operand = Numeric<T> && !std::floating_point<T>;

// They take the place of an operand in overloads that are chosen when no other is viable, here and in what
// users declare for types of their own, since what they stand for has to be converted to them.

/// Stands for what cannot meet an A.
template <class A>
struct UnfitFor {
  template <class B>
    requires(!DifferentiablePair<A, B>)
  UnfitFor(const B&) noexcept {}
};

/// Stands for what is no Operand, and cannot meet an A.
template <class A>
struct NoOperand {
  template <class B>
    requires(!Operand<B> && !DifferentiablePair<A, B>)
  NoOperand(const B&) noexcept {}
};

}  // namespace tapestry::detail
