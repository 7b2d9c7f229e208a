// Defines kindOf, which describes a rule of steps, so that programs can compare their rules.
#pragma once

#include <concepts>
#include <exception>
#include <initializer_list>
#include <string>
#include <typeinfo>

namespace tapestry::detail {

/// Returns "tapestry::Sgd: -0.0025 -0.005", the readable name of the type with the steps.
std::string kindText(const std::type_info& type, std::initializer_list<double> weights);

/// Describes a rule by its type and, if it can step a number, by the weights after three steps, so that rules
/// with other rates differ.
template <class Rule>
std::string kindOf(const Rule& rule) {
  if constexpr (requires(typename Rule::template State<double>& state) {
                  { rule.step(1.0, 1.0, state) } -> std::same_as<double>;
                }) {
    try {
      typename Rule::template State<double> state{};
      const double first = rule.step(0.5, 0.25, state);
      const double second = rule.step(first, -2.0, state);
      return kindText(typeid(Rule), {first, second, rule.step(second, 0.125, state)});
    } catch (const std::exception&) {
      return kindText(typeid(Rule), {});  // a rule of the user may refuse to step
    }
  } else {
    return kindText(typeid(Rule), {});
  }
}

}  // namespace tapestry::detail
