#include "tapestry/deeplearning/extend/pass_gradients.hpp"

#include <utility>
#include <variant>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"

namespace tapestry::extend {

namespace {

detail::GraphNode& nodeOf(const AnyWeight& weight) noexcept {
  return std::visit([](const auto& typed) -> detail::GraphNode& { return *typed.node(); }, weight);
}

}  // namespace

WeightId::WeightId(const AnyWeight& weight) noexcept : WeightId(nodeOf(weight)) {}

WeightForm formOf(const AnyWeight& weight) { return nodeOf(weight).asTrainable()->form(); }

std::vector<WeightId> PassGradients::touched() const {
  std::vector<WeightId> touched;
  for (auto* state = pass_->weights(); state; state = state->nextVisited)
    if (state->hasDelta()) touched.emplace_back(*state->node);
  return touched;
}

bool PassGradients::isTouched(WeightId weight) const { return weight.node().stateIn(*pass_).hasDelta(); }

Gradient PassGradients::take(WeightId weight) const {
  return weight.node().asTrainable()->takeGradient(weight.node().stateIn(*pass_));
}

void PassGradients::put(WeightId weight, Gradient gradient) const {
  weight.node().asTrainable()->putGradient(weight.node().stateIn(*pass_), std::move(gradient));
}

bool PassGradients::isObserved() const noexcept {
  const detail::Watch* const watch = pass_->watch();
  return watch && watch->observer;
}

void PassGradients::tell(PassObserver::Event event, std::string_view exchange) const noexcept {
  if (isObserved()) pass_->watch()->observer->observe(event, exchange, pass_);
}

}  // namespace tapestry::extend
