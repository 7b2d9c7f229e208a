// Defines FormulaElement, the element type of the operands of a formula.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

#include <tapestry/tensor/formula/term.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Tensors of another library whose kernels evaluate recorded formulas, for operands that broadcast.
template <class X>
concept EvaluatesTerms =
    OwnKernels<X> &&
    requires(std::string_view operation, const formula::Recording& recording, std::span<const X> operands) {
      { X::Kernels::evaluate(operation, recording, operands) } -> std::same_as<std::vector<X>>;
    };

/// The element type of a formula's operands: of the tensors among them, or else of the widest scalar. No type
/// where two tensors differ.
template <class... As>
struct FormulaElement {};
template <std::floating_point... As>
struct FormulaElement<As...> {
  using Type = std::common_type_t<As...>;
};
template <class T, class... As>
  requires(... && (std::floating_point<As> || std::same_as<As, Tensor<T>>))
struct FormulaElement<Tensor<T>, As...> {
  using Type = T;
};
template <EvaluatesTerms X, class... As>
  requires(... && (std::floating_point<As> || std::same_as<As, X>))
struct FormulaElement<X, As...> {
  using Type = typename X::Value;
};
template <std::floating_point A, class... As>
  requires(!(... && std::floating_point<As>))
struct FormulaElement<A, As...> : FormulaElement<As..., A> {};

/// The first of the types that is no scalar, or void.
template <class... As>
struct FormulaTensor {
  using Type = void;
};
template <class A, class... As>
struct FormulaTensor<A, As...> {
  using Type = A;
};
template <std::floating_point A, class... As>
struct FormulaTensor<A, As...> : FormulaTensor<As...> {};

/// Whether a formula can have operands of these types.
template <class... As>
concept HasFormulaElement = requires { typename FormulaElement<As...>::Type; };

}  // namespace tapestry::kernels
#pragma GCC visibility pop
