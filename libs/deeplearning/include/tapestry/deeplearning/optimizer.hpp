// Defines Optimizer, the rule by which a weight takes steps, and chain, which composes a rule with
// transformations.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/optimizers/detail/rule_kind.hpp"
#include "tapestry/deeplearning/optimizers/detail/state_parts.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The gradient that a stepper takes: the delta itself for a tensor, the dense delta for all other data.
template <class V>
using GradientOf = std::conditional_t<isHostTensor<V>, DeltaOf<V>, DenseOf<V>>;

template <class V>
class Stepper;

template <class V>
struct Stepped {
  V weight;
  Ref<const Stepper<V>> next;
};

/// A step that adds factor * delta.
template <class V>
struct Multiple {
  double factor;
  Ref<const Stepper<V>> next;
};

/// A rule with its state for one weight; immutable, so that a step that is not taken changes nothing.
template <class V>
class Stepper : public Node {
 public:
  virtual Stepped<V> step(const V& weight, GradientOf<V> gradient) const = 0;
  /// Returns the step if it is a multiple of the delta for every delta.
  virtual std::optional<Multiple<V>> multiple() const { return std::nullopt; }
  /// Returns the parts of the state; nothing if the rule does not list them.
  virtual std::optional<StateParts<V>> parts() const = 0;
  /// Returns the same rule with these parts as its state; null if its own parts have other names or kinds.
  virtual Ref<const Stepper<V>> with(const StateParts<V>& parts) const = 0;
  /// Describes the rule, without its state.
  virtual std::string kind() const = 0;
  /// Called when the step that led to this state has been taken.
  virtual void settle() const noexcept {}
};

template <class V, class Rule>
class RuleStepper final : public Stepper<V> {
  using State = typename Rule::template State<V>;
  static constexpr bool addsMultiple = isHostTensor<V> && requires(const Rule& rule, State& state) {
    StepsByDelta<Rule>::template factor<ElementOf<V>>(rule, state);
  };

 public:
  RuleStepper(Rule rule, State state) : rule_(std::move(rule)), state_(std::move(state)) {}

  Stepped<V> step(const V& weight, GradientOf<V> gradient) const override {
    if constexpr (addsMultiple) {
      auto [factor, next] = *multiple();
      return {std::move(gradient).addTo(weight, static_cast<ElementOf<V>>(factor)), std::move(next)};
    } else {
      State next = state_;
      V stepped = rule_.step(weight, denseOf(std::move(gradient)), next);
      return {std::move(stepped), makeRef<const RuleStepper>(rule_, std::move(next))};
    }
  }

  std::optional<Multiple<V>> multiple() const override {
    if constexpr (addsMultiple) {
      State next = state_;
      const double factor = StepsByDelta<Rule>::template factor<ElementOf<V>>(rule_, next);
      return Multiple<V>{factor, makeRef<const RuleStepper>(rule_, std::move(next))};
    } else {
      return std::nullopt;
    }
  }

  std::string kind() const override { return kindOf<V>(rule_); }

  std::optional<StateParts<V>> parts() const override {
    if constexpr (listsParts<State>)
      return partsOf<V>(state_);
    else
      return std::nullopt;
  }

  Ref<const Stepper<V>> with(const StateParts<V>& parts) const override {
    if constexpr (listsParts<State>) {
      State state{};
      if (setParts<V>(state, parts)) return makeRef<const RuleStepper>(rule_, std::move(state));
    }
    return nullptr;
  }

 private:
  Rule rule_;
  State state_;
};

}  // namespace detail

/// A rule has a member template State<V>, which is default constructible and copied in O(1), and step(const
/// V& weight, V gradient, State<V>& state), which returns the new weight; V is double, float, a Tensor, a
/// tensor of another library (OwnKernels), or a user-defined type, whose gradient is a DeltaOf<V>. An
/// exception from step fails `train`, and nothing changes. A State that is not empty can be saved, and used
/// for the rows of a table, if it lists its parts, each an optional<V>, a uint64_t or a double:
///   static void parts(auto& state, const auto& f) { f("velocity", state.velocity); }
/// A rule whose parts have the same names can load the saved state, so the parts should have the same
/// meaning.
template <class R, class V>
concept OptimizerRule = requires(const R& rule, const V& weight, detail::DenseOf<V> gradient,
                                 typename R::template State<V>& state) {
  { rule.step(weight, std::move(gradient), state) } -> std::same_as<V>;
};

/// A transformation before the rule of a chain: it has a State, as a rule has, and transform(V gradient,
/// const V& weight, State<V>& state), which returns the gradient to pass on.
template <class R, class V>
concept GradientTransformation = requires(const R& transformation, detail::DenseOf<V> gradient,
                                          const V& weight, typename R::template State<V>& state) {
  { transformation.transform(std::move(gradient), weight, state) } -> std::same_as<detail::DenseOf<V>>;
};

/// A transformation after the rule of a chain: it has a State too, and
/// adjust(V stepped, const V& weight, State<V>& state), which returns the new weight, given the rule's result
/// and the weight from before the step.
template <class R, class V>
concept StepTransformation =
    requires(const R& transformation, V stepped, const V& weight, typename R::template State<V>& state) {
      { transformation.adjust(std::move(stepped), weight, state) } -> std::same_as<V>;
    };

/// The rule of a weight of type V, in its initial state.
template <class V>
class Optimizer {
 public:
  template <OptimizerRule<V> Rule>
  Optimizer(Rule rule)
      : initial_(detail::makeRef<const detail::RuleStepper<V, Rule>>(std::move(rule),
                                                                     typename Rule::template State<V>{})) {}
  explicit Optimizer(  // expected an OptimizerRule: State<V>, V step(const V& weight, V gradient, State<V>&)
      ...) = delete;

  const detail::Ref<const detail::Stepper<V>>& initial() const noexcept { return initial_; }

 private:
  detail::Ref<const detail::Stepper<V>> initial_;
};

/// Transformations of the gradient, followed by a rule, followed by transformations of its step.
template <class Rule, class... Transformations>
class Chain {
 public:
  template <class V>
  using State = std::tuple<typename Rule::template State<V>, typename Transformations::template State<V>...>;

  Chain(Rule rule, std::tuple<Transformations...> transformations)
      : rule_(std::move(rule)), transformations_(std::move(transformations)) {}

  template <class V>
    requires OptimizerRule<Rule, V> &&
             (... && (GradientTransformation<Transformations, V> || StepTransformation<Transformations, V>))
  V step(const V& weight, detail::DenseOf<V> gradient, State<V>& state) const {
    forEach(state, [&](const auto& transformation, auto& own) {
      if constexpr (GradientTransformation<std::decay_t<decltype(transformation)>, V>)
        gradient = transformation.transform(std::move(gradient), weight, own);
    });
    V stepped = rule_.step(weight, std::move(gradient), std::get<0>(state));
    forEach(state, [&](const auto& transformation, auto& own) {
      if constexpr (StepTransformation<std::decay_t<decltype(transformation)>, V>)
        stepped = transformation.adjust(std::move(stepped), weight, own);
    });
    return stepped;
  }

 private:
  /// Calls f(transformation, its state) for each transformation, in order.
  template <class States, class F>
  void forEach(States& states, const F& f) const {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (..., f(std::get<i>(transformations_), std::get<i + 1>(states)));
    }(std::index_sequence_for<Transformations...>());
  }

  Rule rule_;
  std::tuple<Transformations...> transformations_;
};

namespace detail {

/// Whether P has a template State, as rules and transformations do; it may be for some types of weights only.
template <class P>
concept ChainPart =
    requires { typename P::template State<float>; } || requires { typename P::template State<double>; } ||
    requires { typename P::template State<Tensor<float>>; } ||
    requires { typename P::template State<Tensor<double>>; };

}  // namespace detail

/// chain(clipByValue(1), l2(1e-4), adam({})): the transformations in order, then the rule, which comes last.
template <detail::ChainPart First, detail::ChainPart... Rest>
auto chain(First first, Rest... rest) {
  auto all = std::tuple(std::move(first), std::move(rest)...);
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return Chain(std::get<sizeof...(Rest)>(all), std::tuple(std::get<i>(all)...));
  }(std::index_sequence_for<Rest...>());
}
void chain(...) = delete;  // expected transformations, then an OptimizerRule; each has a template State<V>

}  // namespace tapestry
#pragma GCC visibility pop
