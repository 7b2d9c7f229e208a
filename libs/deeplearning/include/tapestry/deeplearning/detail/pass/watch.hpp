// Defines withSlot, a program with a slot of its environment set, and Watch, the additional work of a pass:
// to inform an observer, and to check values and losses.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/continuation/environment.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the program with the slot set to the value.
template <class Slot, class A>
Do<A> withSlot(typename Slot::Type value, Do<A> program) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(
      UnitContinuation<Acquired>(tapestry::local<Slot>(std::move(value), std::move(program).acquire())));
}

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
