// Defines Watch, the additional work of a pass: to inform an observer, and to check values and losses; with
// the slots of the environment that ask for it.
#pragma once

#include <memory>

#include "tapestry/continuation/environment.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct NodeState;

/// The environment's slot for the layer whose program a run executes, in a pass with an observer; else null.
struct EnclosingSlot {
  static constexpr bool confined = true;
  using Type = NodeState*;
  static Type initial() noexcept { return nullptr; }
};

/// The environment's slots, which are read when a pass opens.
struct PassObserverSlot {
  using Type = std::shared_ptr<PassObserver>;
  static Type initial() noexcept { return nullptr; }
};
struct CheckFiniteSlot {
  using Type = bool;
  static Type initial() noexcept { return false; }
};
struct CheckLossSlot : CheckFiniteSlot {};

struct Watch {
  static Watch of(const Environment& environment) noexcept;

  void tell(PassObserver::Event event, const NodeState& state) const noexcept;
  /// Called when a run with this environment gets the tape of a node.
  void used(const Environment& environment, const NodeState& state) const noexcept;
  /// Called when the forward has computed the data. Throws std::range_error if the data must be finite and
  /// are not.
  void computed(NodeState& state) const;
  /// Called when the data of a weight or a literal are read other than by an operation. Throws as above.
  void given(const NodeState& state) const;

  std::shared_ptr<PassObserver> observer;
  bool checksFinite = false;
  bool checksLoss = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
