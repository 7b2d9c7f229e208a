// Defines GraphNode, a node of a network: what is evaluated at most once in a pass.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/deeplearning/detail/node/node_state.hpp"

namespace tapestry::detail {

class AnyOperation;
class TrainableNode;

/// Who keeps a node alive until the pass ends.
enum class HeldBy : bool { otherNode, pass };

/// A branch worth less, in ns, is not worth the hand-over to another thread.
inline constexpr float worthAFork = 20'000;

/// Immutable but for its slot, the state in the pass that came first; passes that meet it meanwhile keep
/// theirs in a map. As a ProgramNode it acquires its tape in the pass of the run's environment.
class GraphNode : public ProgramNode {
 public:
  explicit GraphNode(bool trainable, float cost = 0) noexcept : trainable_(trainable), cost_(cost) {}

  /// For errors and observers: an operation's own name.
  virtual std::string_view name() const noexcept = 0;
  /// Whether a delta that reaches it can reach a weight.
  bool trainable() const noexcept { return trainable_; }
  /// An estimate of forward and backward of all that it depends on, in ns, by which branches are found worth
  /// a fork.
  float cost() const noexcept { return cost_; }

  /// Comes as a user: finds its state in the pass, and enters that. Whoever is the first to come in the pass
  /// is its opener. Cost: an uncontended lock.
  Entry enterIn(Pass& pass, HeldBy heldBy, NodeState*& state);
  /// Its state in the pass, which keeps the node. Precondition: it need not be opened.
  NodeState& stateIn(Pass& pass);

  /// For the opener: runs the forward, and ends with state.opened() or failed(). May leave frames in the run
  /// instead.
  virtual void open(Run& run, NodeState& state) = 0;

  /// Sends its delta to its operands, and leaves them; those whose last user it was are added to the list. A
  /// node that `flushesInSteps` leaves frames in the run instead, and adds nothing.
  virtual void flush(Run& run, NodeState& state, ReadyList& ready) = 0;
  virtual bool flushesInSteps() const noexcept { return false; }

  /// One more operation, a user, has had the data. True where no user can ask for it any more in this pass.
  bool settle(NodeState& state) noexcept;
  /// Drops the state of a node without users, if no user can ask for it any more.
  void dropUnreachable(NodeState& state) noexcept;
  /// The same, of a node that is alone, whose only user leaves.
  void dropAlone(NodeState& state) noexcept;

  /// Itself as an operation or a weight, or null.
  virtual AnyOperation* asOperation() noexcept { return nullptr; }
  virtual TrainableNode* asTrainable() noexcept { return nullptr; }

 protected:
  void addCost(float own) noexcept { cost_ += own; }
  /// Counts what the operand depends on.
  void dependOn(const GraphNode& operand) noexcept {
    trainable_ |= operand.trainable_;
    cost_ += operand.cost_;
  }

  /// Whether its slot serves all passes.
  virtual bool constant() const noexcept { return false; }
  /// What there is to do when a pass takes the state, under the node's lock; false, and nothing done, where
  /// it has to be tried again soon.
  virtual bool enterPass(const Pass&, NodeState&) noexcept { return true; }
  /// For enterPass, of a weight: its state in the pass of which this one is a part, or null.
  NodeState* stateInWhole(const Pass& pass) noexcept;
  virtual NodeState& slot() noexcept = 0;
  virtual std::unique_ptr<NodeState> makeState() = 0;
  friend class Pass;

  SpinLock lock_;  ///< held while the slot is given to a pass

 private:
  struct Found {
    NodeState* state;  ///< null where enterPass was false
    bool first;        ///< the pass had none before; the caller is the opener
  };
  void drop(NodeState& state) noexcept;
  Found find(Pass& pass, HeldBy heldBy);
  Found tryFind(Pass& pass, HeldBy heldBy);
  bool unreachable(const NodeState& state, std::uint64_t settled) noexcept;

  bool trainable_;
  float cost_;
};

/// Lets the run visit a node that the user has entered as `entry`: the frame below is resumed when it is open
/// or failed.
void visit(Run& run, NodeState& state, Entry entry);

/// Flushes all in the list, and what becomes ready by it, branches in parallel. May leave frames in the run.
void flushAll(Run& run, ReadyList ready);

/// Leaves the node; if the caller was its last user, it is flushed now (in the list) or when the pass closes.
void leaveNode(NodeState& state, ReadyList& ready) noexcept;

}  // namespace tapestry::detail
