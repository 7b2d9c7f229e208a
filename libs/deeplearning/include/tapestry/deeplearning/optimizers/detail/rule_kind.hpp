// Defines kindOf, which describes a rule of steps, so that programs can compare their rules, and
// StepsByDelta, by which a rule takes deltas of tensors as they are, dense or not.
#pragma once

#include <concepts>
#include <exception>
#include <initializer_list>
#include <string>
#include <typeinfo>

#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns "tapestry::Sgd -0.0025 -0.005", the readable name of the type with the weights.
std::string kindText(const std::type_info& type, std::initializer_list<double> weights);

/// Returns the weight after a step of the rule on a value of one element.
template <class V, class Rule>
double steppedOnce(const Rule& rule, double weight, double gradient,
                   typename Rule::template State<V>& state) {
  if constexpr (std::floating_point<V>)
    return rule.step(static_cast<V>(weight), static_cast<V>(gradient), state);
  else
    return rule
        .step(V::full({1}, static_cast<typename V::Value>(weight)),
              V::full({1}, static_cast<typename V::Value>(gradient)), state)
        .item();
}

/// Describes a rule for weights of type V, a number or a tensor of the host, by its type and by the weights
/// after three steps, so that rules with other rates differ; for other types, by its type alone.
template <class V, class Rule>
std::string kindOf(const Rule& rule) {
  if constexpr (std::floating_point<V> || std::same_as<V, Tensor<float>> || std::same_as<V, Tensor<double>>) {
    try {
      typename Rule::template State<V> state{};
      const double first = steppedOnce<V>(rule, 0.5, 0.25, state);
      const double second = steppedOnce<V>(rule, first, -2.0, state);
      return kindText(typeid(Rule), {first, second, steppedOnce<V>(rule, second, 0.125, state)});
    } catch (const std::exception&) {
      // a rule of the user may refuse to step
    }
  }
  return kindText(typeid(Rule), {});
}

/// If it is specialised for a rule, but not for a rule derived from that, the rule's step adds a multiple of
/// the delta to the weight, and the specialisation has, for elements T,
///
///     template <class T> static double factor(const Rule& rule, State& state)
template <class Rule>
struct StepsByDelta {};

}  // namespace tapestry::detail
#pragma GCC visibility pop
