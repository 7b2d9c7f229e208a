// Defines ErasedOptimizers, optimizers of one rule for tensors of other libraries, and steppedBy, which takes
// such an optimizer for a known type.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tapestry/deeplearning/detail/erased_tensor.hpp"
#include "tapestry/deeplearning/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct ErasedOptimizers {
  Optimizer<ErasedTensor<float>> ofFloats;
  Optimizer<ErasedTensor<double>> ofDoubles;
};

/// Whether the rule makes an optimizer for tensors of other libraries.
template <class Rule>
concept RuleOfErased = std::constructible_from<Optimizer<ErasedTensor<float>>, const Rule&> &&
                       std::constructible_from<Optimizer<ErasedTensor<double>>, const Rule&>;

/// A rule for ErasedTensors, with its state, as the stepper of a weight of type V.
template <Erasable V>
class ErasedStepper final : public Stepper<V> {
  using Erased = ErasedTensor<ElementOf<V>>;

 public:
  explicit ErasedStepper(Ref<const Stepper<Erased>> inner) : inner_(std::move(inner)) {}

  Stepped<V> step(const V& weight, V gradient) const override {
    auto [stepped, next] = inner_->step(Erased(weight), Erased(std::move(gradient)));
    return {stepped.template as<V>(), makeRef<const ErasedStepper>(std::move(next))};
  }
  std::optional<StateParts<V>> parts() const override {
    const auto parts = inner_->parts();
    if (!parts) return std::nullopt;
    return convertParts<V, Erased>(*parts, [](const Erased& part) { return part.template as<V>(); });
  }
  Ref<const Stepper<V>> with(const StateParts<V>& parts) const override {
    auto next = inner_->with(convertParts<Erased, V>(parts, [](const V& part) { return Erased(part); }));
    if (!next) return nullptr;
    return makeRef<const ErasedStepper>(std::move(next));
  }
  std::string kind() const override { return inner_->kind(); }
  void settle() const noexcept override { inner_->settle(); }

 private:
  Ref<const Stepper<Erased>> inner_;
};

/// The optimizer for a weight of type V, in its initial state.
template <Erasable V>
Ref<const Stepper<V>> steppedBy(const ErasedOptimizers& optimizers) {
  if constexpr (std::same_as<ElementOf<V>, float>)
    return makeRef<const ErasedStepper<V>>(optimizers.ofFloats.initial());
  else
    return makeRef<const ErasedStepper<V>>(optimizers.ofDoubles.initial());
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
