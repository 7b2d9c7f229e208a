// Defines TrainableNode, a weight or a running average as a node, with Update, a prepared step.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/extend/gradient.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A prepared change of a weight, which `commit` makes.
class Update : public Pooled {
 public:
  explicit Update(std::optional<Do<void>>&& first) noexcept : awaited(std::move(first)) {}
  Update(const Update&) = delete;
  Update& operator=(const Update&) = delete;
  virtual ~Update() = default;
  virtual void commit() noexcept = 0;

  const std::optional<Do<void>> awaited;  ///< a program that has to succeed before the commit, or none
};

/// Returns an update that calls `commit`, which must not throw.
template <class F>
std::unique_ptr<Update> updateBy(F commit, std::optional<Do<void>>&& awaited = std::nullopt) {
  struct Calling final : Update {
    Calling(F&& function, std::optional<Do<void>>&& first)
        : Update(std::move(first)), call(std::move(function)) {}
    void commit() noexcept override { call(); }
    F call;
  };
  return std::make_unique<Calling>(std::move(commit), std::move(awaited));
}

/// The update, once the program has succeeded.
std::unique_ptr<Update> afterwards(Do<void> program, std::unique_ptr<Update> update);

/// In a pass, the node is open from the start, with the value of that moment, and collects deltas until the
/// end of the pass.
class TrainableNode : public GraphNode {
 public:
  /// `oneByOne`: whether steps are taken one after the other, not several at once.
  explicit TrainableNode(bool oneByOne = true)
      : GraphNode(true), stepping(oneByOne ? makeRef<Permits>(std::size_t{1}) : nullptr) {}

  void open(Run&, NodeState& state) final { state.finish(Phase::open); }
  void flush(Run&, NodeState& state, ReadyList&) final { complete(state); }
  TrainableNode* asTrainable() noexcept final { return this; }

  /// Returns the delta as one value of the weight's type. May throw.
  virtual std::shared_ptr<const void> gradientOf(const NodeState& state) const = 0;
  /// Yields the squared norm of the pass's delta, which is one value from then on. May throw.
  virtual Do<double> squaredNorm(NodeState& state) const = 0;
  /// Adds the delta of a part of a pass to the delta of the whole pass. May throw.
  virtual void handOver(NodeState& from, NodeState& to) const = 0;
  /// An estimate of the time to prepare a step, in ns.
  virtual float stepCost(const NodeState&) const noexcept { return 1000; }
  /// Computes the optimizer's step for the pass's delta times `scale`; changes nothing. May throw.
  virtual std::unique_ptr<Update> prepare(NodeState& state, double scale) = 0;

  /// Describes the weight, takes its delta out of the pass, and sets it, as extend::PassGradients does.
  virtual extend::WeightForm form() const = 0;
  virtual extend::Gradient takeGradient(NodeState& state) const = 0;
  virtual void putGradient(NodeState& state, extend::Gradient gradient) const = 0;

  /// Passes a weight that has got all its deltas to the pass's exchange, if there is one.
  static void complete(NodeState& state) noexcept;

  /// The permit that a pass holds from before it prepares a step until it has committed the step, so that no
  /// step is lost; null if steps are not taken one after the other.
  const Ref<Permits> stepping;

 protected:
  /// For enterPass: the node is open from the start. Only if gradients are exchanged, its users are counted,
  /// so that its delta is known to be complete when the last user leaves.
  static void enterAsWeight(const Pass& pass, NodeState& state) noexcept;
  /// As enterPass, for a State with the data of the whole pass, or else of the node's cell; returns false
  /// while a step is taken in place.
  template <class State>
  bool enterWithData(const Pass& pass, State& state, const auto& cell) noexcept {
    const NodeState* whole = stateInWhole(pass);
    state.data = whole ? static_cast<const State*>(whole)->data : cell.live();
    if (!whole && !state.data) return false;
    enterAsWeight(pass, state);
    return true;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
