// Defines evaluate and differentiate, which apply a formula to the elements of tensors and scalars.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapestry/tensor/formula/dual.hpp>
#include <tapestry/tensor/formula/loop.hpp>
#include <tapestry/tensor/formula/term.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/detail/formula_element.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// The operands of a formula, as its loop takes them: those that are smaller than the result are repeated.
template <class T, class... As>
class FormulaOperands {
 public:
  /// Throws ShapeError, naming the operation, where the shapes do not broadcast.
  explicit FormulaOperands(std::string_view operation, const As&... operands) {
    (..., (shape = broadcast(shape, shapeOf(operands), operation)));
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (..., (all[i] = prepared(operands, scalars_[i], repeated_[i])));
    }(std::index_sequence_for<As...>());
  }
  FormulaOperands(const FormulaOperands&) = delete;
  FormulaOperands& operator=(const FormulaOperands&) = delete;

  Shape shape;
  std::array<formula::Operand<T>, sizeof...(As)> all;

 private:
  template <class A>
  formula::Operand<T> prepared(const A& operand, T& scalar, Tensor<T>& repeated) const {
    if constexpr (std::floating_point<A>) {
      scalar = static_cast<T>(operand);
      return {&scalar, true};
    } else {
      if (operand.shape() == shape || operand.size() == 1) return {operand.data(), operand.shape() != shape};
      repeated = broadcastTo(operand, shape);
      return {repeated.data(), false};
    }
  }

  std::array<T, sizeof...(As)> scalars_{};
  std::array<Tensor<T>, sizeof...(As)> repeated_;
};

/// The formula of each element, in one pass over memory; of scalars a scalar. The operands broadcast; else
/// throws ShapeError, which names the operation.
template <class F, class... As>
  requires HasFormulaElement<As...> && (!EvaluatesTerms<typename FormulaTensor<As...>::Type>)
auto evaluate(std::string_view operation, const F& formula, const As&... operands) {
  using T = typename FormulaElement<As...>::Type;
  using Number = formula::Number<T>;
  if constexpr ((... && std::floating_point<As>)) {
    return Number(formula(Number(operands)...)).value();
  } else {
    const FormulaOperands<T, As...> from(operation, operands...);
    auto result = Tensor<T>::uninitialized(from.shape);
    const auto each = [&formula](const auto& put, auto... x) { TAPESTRY_INLINE_CALLS put(0, formula(x...)); };
    formula::forEachElement(each, from.all, std::array{result.exclusiveData()}, result.size());
    return result;
  }
}

/// delta times the derivatives of a formula, by duals: what `differentiate` takes.
template <class F>
struct DualGradient {
  const F& formula;

  // This function and putAll are inlined by attributes: g++ does not flatten a large lambda into the loop,
  // which then stays scalar.
  template <class X, class... Xs>
  [[gnu::always_inline]] void operator()(const auto& put, X delta, Xs... x) const {
    using Dual = formula::Dual<X, sizeof...(Xs)>;
    const auto putAll = [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
      Dual y;
      TAPESTRY_INLINE_CALLS y = Dual(formula(Dual::template operand<i>(x)...));
      (..., put(i, delta * y.template partial<i>()));
    };
    putAll(std::index_sequence_for<Xs...>());
  }
};

/// The deltas of the operands, in the shape of the result, which the delta has: gradient(put, delta,
/// operands...) puts them for each element, in one pass over memory. Deltas that are not wanted are left
/// empty.
template <class G, class Delta, std::size_t n, class... As>
  requires HasFormulaElement<Delta, As...> && (n == sizeof...(As)) && (!EvaluatesTerms<Delta>)
auto differentiate(const G& gradient, const Delta& delta, const std::array<bool, n>& wanted,
                   const As&... operands) {
  using T = typename FormulaElement<As...>::Type;
  if constexpr (std::floating_point<Delta>) {
    std::array<T, n> deltas{};
    const auto put = [&](std::size_t i, formula::Number<T> value) { deltas[i] = value.value(); };
    gradient(put, formula::Number<T>(delta), formula::Number<T>(operands)...);
    return deltas;
  } else {
    const FormulaOperands<T, Delta, As...> from("differentiate", delta, operands...);
    std::array<Tensor<T>, n> deltas;
    std::array<T*, n> to{};
    for (std::size_t i = 0; i < n; ++i) {
      if (!wanted[i]) continue;
      deltas[i] = Tensor<T>::uninitialized(from.shape);
      to[i] = deltas[i].exclusiveData();
    }
    formula::forEachElement(gradient, from.all, to, from.shape.size());
    return deltas;
  }
}

/// An operand of a recorded formula: a scalar becomes a constant.
template <EvaluatesTerms X, class A>
X recordedOperand(const A& operand) {
  if constexpr (std::floating_point<A>)
    return X::scalar(static_cast<typename X::Value>(operand));
  else
    return operand;
}

/// Whether all objects of a formula's type are equal, so that one recording serves all of them.
template <class F>
inline constexpr bool isStateless = std::is_empty_v<F>;
template <class F>
inline constexpr bool isStateless<DualGradient<F>> = std::is_empty_v<F>;

/// The recorded formula of n operands.
template <std::size_t n, class F>
formula::Recording recordingOf(const F& formula) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return formula::Recording({formula::Term(formula(formula::Term::operand(i)...))});
  }(std::make_index_sequence<n>());
}

/// The same for tensors of another library, whose kernels get the formula as it is recorded. A formula of an
/// empty type, as that of a lambda without captures, is recorded once, and has to be the same in each call.
template <class F, class... As>
  requires HasFormulaElement<As...> && EvaluatesTerms<typename FormulaTensor<As...>::Type>
auto evaluate(std::string_view operation, const F& formula, const As&... operands) {
  using X = typename FormulaTensor<As...>::Type;
  const std::array<X, sizeof...(As)> own{recordedOperand<X>(operands)...};
  const auto valueOf = [&](const formula::Recording& recording) {
    return X::Kernels::evaluate(operation, recording, std::span<const X>(own)).front();
  };
  if constexpr (isStateless<F>) {
    static const formula::Recording recording = recordingOf<sizeof...(As)>(formula);
    return valueOf(recording);
  } else {
    return valueOf(recordingOf<sizeof...(As)>(formula));
  }
}

/// The recorded deltas of n operands, those that are wanted; the delta of the result is operand n.
template <std::size_t n, class G>
std::vector<formula::Term> recordedDeltas(const G& gradient, const std::array<bool, n>& wanted) {
  std::vector<formula::Term> terms;
  const auto put = [&](std::size_t i, const formula::Term& term) {
    if (wanted[i]) terms.push_back(term);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    gradient(put, formula::Term::operand(n), formula::Term::operand(i)...);
  }(std::make_index_sequence<n>());
  return terms;
}

/// The same, recorded once for each choice of operands.
template <std::size_t n, class G>
const formula::Recording& sharedRecordingOf(const G& gradient, const std::array<bool, n>& wanted) {
  static const auto all = [&] {
    std::array<std::unique_ptr<const formula::Recording>, std::size_t{1} << n> recordings;
    for (std::size_t choice = 0; choice < recordings.size(); ++choice) {
      std::array<bool, n> chosen;
      for (std::size_t i = 0; i < n; ++i) chosen[i] = (choice >> i & 1) != 0;
      recordings[choice] = std::make_unique<const formula::Recording>(recordedDeltas(gradient, chosen));
    }
    return recordings;
  }();
  std::size_t choice = 0;
  for (std::size_t i = 0; i < n; ++i) choice |= std::size_t{wanted[i]} << i;
  return *all[choice];
}

template <class G, EvaluatesTerms X, std::size_t n, class... As>
  requires HasFormulaElement<X, As...> && (n == sizeof...(As))
std::array<X, n> differentiate(const G& gradient, const X& delta, const std::array<bool, n>& wanted,
                               const As&... operands) {
  const std::array<X, n + 1> own{recordedOperand<X>(operands)..., delta};
  const auto deltasOf = [&](const formula::Recording& recording) {
    return X::Kernels::evaluate("differentiate", recording, std::span<const X>(own));
  };
  std::vector<X> results;
  if constexpr (isStateless<G>)
    results = deltasOf(sharedRecordingOf(gradient, wanted));
  else
    results = deltasOf(formula::Recording(recordedDeltas(gradient, wanted)));
  std::array<X, n> deltas;
  for (std::size_t i = 0, next = 0; i < n; ++i)
    if (wanted[i]) deltas[i] = std::move(results[next++]);
  return deltas;
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
