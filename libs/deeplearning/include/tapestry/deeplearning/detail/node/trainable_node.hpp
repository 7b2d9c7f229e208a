// Defines TrainableNode, the interface of a touched weight to its pass.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/async_mutex.hpp"

namespace tapestry::detail {

/// A change of a weight that has been prepared, and is made by `commit`.
class Update : public Pooled {
 public:
  Update() noexcept = default;
  Update(const Update&) = delete;
  Update& operator=(const Update&) = delete;
  virtual ~Update() = default;
  virtual void commit() noexcept = 0;
};

/// The update that `commit`, which must not throw, makes.
template <class F>
std::unique_ptr<Update> updateBy(F commit) {
  struct Calling final : Update {
    explicit Calling(F function) : call(std::move(function)) {}
    void commit() noexcept override { call(); }
    F call;
  };
  return std::make_unique<Calling>(std::move(commit));
}

class TrainableNode {
 public:
  /// Whether a delta has come in this pass.
  virtual bool touched(const NodeState& state) const noexcept = 0;
  /// The delta as one value of the weight's type. May throw.
  virtual std::shared_ptr<const void> gradientOf(const NodeState& state) const = 0;
  /// The squared norm of the pass's delta, which is one value from then on. May throw.
  virtual double squaredNorm(NodeState& state) const = 0;
  /// Adds the delta of a pass to that of the pass of which it is a part. May throw.
  virtual void handOver(NodeState& from, NodeState& to) const = 0;
  /// Whether steps are taken one after the other: then `stepping` is held.
  virtual bool serialised() const noexcept { return true; }
  /// An estimate of what it takes to prepare one, in ns.
  virtual float stepCost(const NodeState&) const noexcept { return 1000; }
  /// Computes the step that the optimizer takes for the pass's delta, scaled; changes nothing. May throw.
  virtual std::unique_ptr<Update> prepare(NodeState& state, double scale) = 0;

  /// Held from before a step is prepared until it is committed, so that no other pass's step is lost.
  AsyncMutex stepping;

 protected:
  ~TrainableNode() = default;
};

}  // namespace tapestry::detail
