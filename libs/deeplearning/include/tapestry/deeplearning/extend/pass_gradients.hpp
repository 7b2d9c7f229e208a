// Defines PassGradients, the gradients of a pass under way, for their exchange with passes elsewhere.
#pragma once

#include <string_view>
#include <vector>

#include "tapestry/deeplearning/extend/gradient.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// Identifies a weight or a running average as long as a handle on it exists.
class WeightId {
 public:
  explicit WeightId(const AnyWeight& weight) noexcept;
  /// For the engine.
  explicit WeightId(detail::GraphNode& node) noexcept : node_(&node) {}
  detail::GraphNode& node() const noexcept { return *node_; }

  friend bool operator==(WeightId, WeightId) = default;
  friend std::strong_ordering operator<=>(WeightId a, WeightId b) noexcept {
    return std::compare_three_way()(a.node_, b.node_);
  }

 private:
  detail::GraphNode* node_;
};

/// Describes the weight. Cost: a few steps of its optimizer on a number.
WeightForm formOf(const AnyWeight& weight);

/// The gradients of one pass, valid until the pass ends. Copied in O(1). Thread-safe, but for one weight one
/// thread at a time.
class PassGradients {
 public:
  explicit PassGradients(detail::Pass& pass) noexcept : pass_(&pass) {}

  /// Returns the weights and running averages that have a gradient, in no particular order.
  std::vector<WeightId> touched() const;
  bool isTouched(WeightId weight) const;

  /// Takes the gradient out of the pass, which has none for the weight afterwards. Throws std::logic_error
  /// for data of a user-defined type without a TensorForm. Cost: computes products. Precondition: isTouched.
  Gradient take(WeightId weight) const;

  /// Sets the gradient that the weight is stepped by. Preconditions: the pass has none for the weight, and
  /// this gradient is as formOf describes.
  void put(WeightId weight, Gradient gradient) const;

  /// Whether the pass has an observer.
  bool isObserved() const noexcept;
  /// Reports PassObserver::Event::exchange or exchanged to the observer, if there is one.
  void tell(PassObserver::Event event, std::string_view exchange) const noexcept;

 private:
  detail::Pass* pass_;
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
