// Defines Numeric, the operands of this library's operations, Meeting, pairs that fit one operation, and
// NumericTensor and MeetingTensors, the same for tensors. Also defines the types of the parameters of deleted
// operators, whose names tell which operands are expected.
#pragma once

#include <concepts>
#include <type_traits>

#include "tapestry/deeplearning/differentiable.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A differentiable whose data are numbers of one element type: an operand of this library's operations.
template <class T>
concept Numeric = Differentiable<T> && detail::Numbers<DataOf<T>>;

/// A Numeric whose data are a tensor.
template <class T>
concept NumericTensor = Numeric<T> && detail::isTensor<DataOf<T>>;

namespace detail {

/// Characters and truth values are not whole numbers.
template <class T>
concept WholeNumber = std::integral<T> && std::same_as<T, std::remove_cv_t<T>> && !std::same_as<T, bool> &&
                      !std::same_as<T, char> && !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                      !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <class N, class A>
concept WholeNumberWith = WholeNumber<N> && Numeric<A> && !std::floating_point<A>;

/// A differentiable whose data are tensors of T, or T, which is a tensor type itself.
template <class A, class T>
concept TensorOf = Numeric<A> && std::same_as<DataOf<A>, TensorFor<T>>;

// One value, so that compilers report in one line that it is false.
template <class A, class B>
inline constexpr bool canMeet = WholeNumberWith<A, B> || WholeNumberWith<B, A>;
template <Numeric A, Numeric B>
inline constexpr bool canMeet<A, B> =
    !isTensor<DataOf<A>> || !isTensor<DataOf<B>> || std::same_as<DataOf<A>, DataOf<B>>;

}  // namespace detail

/// Operands that may meet in an operation: any two, but tensors only with tensors of the same element type,
/// and whole numbers only with operands other than plain scalars, whose element type they take: 2 * layer.
template <class A, class B>
concept Meeting = detail::canMeet<A, B>;

/// Tensors that may meet in an operation.
template <class A, class... More>
concept MeetingTensors = NumericTensor<A> && (... && (NumericTensor<More> && Meeting<A, More>));

/// Operands that may meet in an operator: not two scalars, whose operators are built in.
template <class A, class B>
concept DifferentiablePair = Meeting<A, B> && (!std::floating_point<A> || !std::floating_point<B>);

namespace detail {

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

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
