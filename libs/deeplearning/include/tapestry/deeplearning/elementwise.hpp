// Defines elementwise, which makes a differentiable operation of a formula of one element.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/formula.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class T, class>
using NumberFor = formula::Number<T>;

/// Whether the formula takes as many numbers as there are operands.
template <class F, class... As>
concept FormulaOf = kernels::HasFormulaElement<As...> && requires(const F& f) {
  formula::Number<typename kernels::FormulaElement<As...>::Type>(
      f(NumberFor<typename kernels::FormulaElement<As...>::Type, As>()...));
};

/// The forward of an elementwise operation.
template <OperationName Name, class Formula>
struct EvaluateFormula {
  template <Numbers... As>
    requires kernels::HasFormulaElement<As...>
  auto operator()(const As&... operands) const {
    return kernels::evaluate(Name.view(), formula, operands...);
  }
  [[no_unique_address]] Formula formula;
};

/// delta times the slopes that the user has stated; an empty type, so that devices record it once, unless the
/// slopes capture something.
template <class... Slopes>
struct SlopeGradient {
  template <class X>
  void operator()(const auto& put, X d, auto... x) const {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      TAPESTRY_INLINE_CALLS(..., put(i, d * X(valueAt<i>(slopes)(x...))));
    }(std::index_sequence_for<Slopes...>());
  }
  [[no_unique_address]] Pack<Slopes...> slopes;
};

/// The deltas of all operands of an elementwise operation, by a DualGradient or a SlopeGradient.
template <class Gradient>
struct Differentiate {
  template <class Delta, std::size_t n, Numbers... As>
    requires kernels::HasFormulaElement<As...>
  auto operator()(const Delta& delta, const std::array<bool, n>& wanted, const As&... operands) const {
    return kernels::differentiate(gradient, delta, wanted, operands...);
  }
  [[no_unique_address]] Gradient gradient;
};

template <OperationName Name, class Formula, class... Slopes>
struct ElementwiseOperation {
  template <class... As>
    requires(sizeof...(As) >= 1 && sizeof...(As) <= 4 && AllDifferentiable<As...> &&
             (sizeof...(Slopes) == 0 || sizeof...(Slopes) == sizeof...(As)) &&
             FormulaOf<Formula, DataOf<As>...>)
  auto operator()(const As&... operands) const {
    const auto all = [&] {
      if constexpr (sizeof...(Slopes) == 0)
        return Differentiate<kernels::DualGradient<Formula>>{{formula}};
      else
        return Differentiate<SlopeGradient<Slopes...>>{{slopes}};
    }();
    using Gradient = AllDerivatives<std::remove_const_t<decltype(all)>>;
    using Forward = EvaluateFormula<Name, Formula>;
    const Forward forward{formula};  // clang 16 with sanitizers crashes where one initializer nests all parts
    const Pack<Gradient> derivatives{{{all}}};
    return Operation<Name, Keep::operands, Elementwise, Forward, Gradient>{
        forward, derivatives, {}}(operands...);
  }
  void operator()(  // expected as many Differentiable scalars or tensors as the formula takes
      ...) const = delete;

  [[no_unique_address]] Formula formula;
  [[no_unique_address]] Pack<Slopes...> slopes;
};

}  // namespace detail

/// The operation of one to four operands, which broadcast, that applies the formula to each element:
///
///     const auto swish = elementwise<"swish">([](auto x) { return x * sigmoid(x); });
///
/// Every formula becomes one forward loop and one backward loop, vectorised for the processor on which the
/// program runs. The formula is generic: it is called with the Numbers, Duals and Terms of
/// tapestry/tensor/formula, which have arithmetic with constants, comparisons, `where(condition, a, b)`, max,
/// min, abs, sign, exp, expm1, log, log1p, sqrt, sin, cos, tanh and sigmoid. It cannot branch on a value,
/// must not throw, and depends on nothing that changes, since devices record it once. Its derivatives are
/// found by dual numbers, unless there is a slope for each operand: a formula of the same operands that
/// yields the derivative with respect to that operand.
///
/// A number that changes, such as a rate of a schedule, must be an operand. A number that the formula
/// captures is part of the source: a device compiles, and keeps, a kernel for each of its values. `sin` and
/// `cos` of more than 10,000 (float) or 1,000,000 (double) are NaN on the host; tapestry::sin and
/// tapestry::cos have no such limit. On a device, a product with the constant 0 is 0 even for NaN and
/// infinities; on the host it is then NaN.
template <OperationName Name, detail::FunctionObject Formula, detail::FunctionObject... Slopes>
constexpr auto elementwise(Formula formula, Slopes... slopes) {
  return detail::ElementwiseOperation<Name, Formula, Slopes...>{std::move(formula), {{std::move(slopes)}...}};
}
template <OperationName Name>
void elementwise(  // expected a formula (a generic lambda), and no slopes or a slope for each operand
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
