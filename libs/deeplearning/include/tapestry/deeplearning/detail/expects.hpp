// Defines ExpectsNumber, ExpectsNumbers, ExpectsTensor, ExpectsTensors, ExpectsLabels and ExpectsTensorRange,
// by which a named operation says in a few lines what it expects.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/deeplearning/detail/operation_name.hpp"

namespace tapestry::detail {

// Each takes the place of the first operand in an overload that is only declared:
//
//     template <class = void>
//     detail::Misfit sigmoid(detail::ExpectsNumber<"sigmoid">);
//
// It is chosen when no other is viable, here and in what the user declares by the same name, as told at
// Misfit, which takes the place of all other arguments; so `requires { sigmoid(x); }` holds for every x, and
// Numeric is what to ask. What then converts the operand refuses to, and compilers show the operation's name,
// the operand's type and the line of the call beside the reason.

/// Whether T is the result of a call that was refused: that is no further error.
template <class T>
inline constexpr bool isRefused = std::same_as<T, Misfit>;

template <OperationName Name>
struct ExpectsNumber {
  template <class T>
  ExpectsNumber(const T&) noexcept {
    static_assert(isRefused<T>, "tapestry: this operation expected a Differentiable scalar or tensor");
  }
};

template <OperationName Name>
struct ExpectsNumbers {
  template <class T>
  ExpectsNumbers(const T&) noexcept {
    static_assert(isRefused<T>,
                  "tapestry: this operation expected Differentiable scalars or tensors of one element type");
  }
};

template <OperationName Name>
struct ExpectsTensor {
  template <class T>
  ExpectsTensor(const T&) noexcept {
    static_assert(isRefused<T>, "tapestry: this operation expected a Differentiable tensor");
  }
};

template <OperationName Name>
struct ExpectsTensors {
  template <class T>
  ExpectsTensors(const T&) noexcept {
    static_assert(isRefused<T>,
                  "tapestry: this operation expected Differentiable tensors of one element type");
  }
};

/// For the second operand, behind a first one that fits.
template <OperationName Name>
struct ExpectsLabels {
  template <class T>
    requires(!std::convertible_to<const T&, std::vector<std::uint32_t>> &&
             !std::convertible_to<const T&, std::uint32_t>)
  ExpectsLabels(const T&) noexcept {
    static_assert(isRefused<T>,
                  "tapestry: this operation expected labels, a std::vector<std::uint32_t> or a number; "
                  "crossEntropy takes probabilities");
  }
};

template <OperationName Name>
struct ExpectsTensorRange {
  template <class T>
  ExpectsTensorRange(const T&) noexcept {
    static_assert(isRefused<T>, "tapestry: this operation expected a range of Differentiable tensors");
  }
};

}  // namespace tapestry::detail
