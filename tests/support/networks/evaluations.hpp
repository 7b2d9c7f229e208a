// Defines Evaluations, which counts how often layers are evaluated, and how often deltas flow back through
// them.
#pragma once

#include <atomic>
#include <functional>

#include "tapestry/deeplearning/operation.hpp"

namespace tapestry::test {

/// Apply it to a layer, as an operation that changes nothing: y = x. Thread-safe. Must outlive the layers.
class Evaluations {
 public:
  template <Differentiable A>
  auto operator()(const A& x) const {
    return unaryOperation<"counted", Keep::nothing>(
        [this](const auto& value) {
          ++forwards_;
          onForward();
          return value;
        },
        [this](auto delta) {
          ++backwards_;
          onBackward();
          return delta;
        })(x);
  }

  /// Called in each evaluation; these may throw.
  std::function<void()> onForward = [] {};
  std::function<void()> onBackward = [] {};

  int forwards() const { return forwards_; }
  int backwards() const { return backwards_; }
  void reset() { forwards_ = backwards_ = 0; }

 private:
  mutable std::atomic<int> forwards_{0};
  mutable std::atomic<int> backwards_{0};
};

}  // namespace tapestry::test
