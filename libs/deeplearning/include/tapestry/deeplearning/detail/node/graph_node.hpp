// Defines GraphNode, a node of a network, which is evaluated at most once in a pass, and NodeState, its state
// in one pass.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/deeplearning/keep.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class Shape;

namespace extend {

struct NodeDetails;

}  // namespace extend

}  // namespace tapestry

namespace tapestry::detail {

class GraphNode;
class Pass;
class TrainableNode;

/// In phase open, the data is available, and `users` counts the users that may still send deltas. In phase
/// failed, the forward has failed, with `error`, for all users; without an error, it was cancelled.
/// `queue.lock` guards the phase and the users.
struct NodeState : OpenOnce {
  explicit NodeState(GraphNode& graphNode) noexcept : node(&graphNode) {}
  NodeState(const NodeState&) = delete;
  NodeState& operator=(const NodeState&) = delete;
  virtual ~NodeState() = default;

  /// Enters as a user: if the node is open, the caller is a user from now on; if the result is waiting, the
  /// caller must enter again.
  Entry enter() noexcept;
  /// For the opener: sets the phase, open or failed, and admits the opener and all waiting users.
  void finish(Phase result) noexcept;
  /// Finishes in phase failed; a null reason means Cancelled.
  void failed(std::exception_ptr reason) noexcept {
    error = std::move(reason);
    finish(Phase::failed);
  }
  /// Whether only one node, the caller, has this node as an operand, so that no other user can come.
  bool isAlone() const noexcept;
  /// Whether the caller is the only user. This stays true if no other users can come any more.
  bool hasOneUser() const noexcept { return users.load(std::memory_order_acquire) == 1; }

  /// Puts a tape of the data into the run, or the reason why there is none.
  virtual void putTape(Run& run, const Ref<Pass>& owner, std::exception_ptr reason) = 0;
  /// Drops the data, the delta and all kept values, when they are not needed any more.
  virtual void clear() noexcept = 0;
  virtual void dropData() noexcept = 0;

  virtual bool hasDelta() const noexcept = 0;
  /// Describes the first element of the data that is not finite, as nonFinite() does.
  virtual std::string nonFiniteData() const = 0;

  /// Fills in the shape and the value of the data.
  virtual void describe(extend::NodeDetails& details) const = 0;

  /// Precondition: the caller belongs to the pass, and this is not the state of a literal.
  Pass& pass() const noexcept { return *holder.load(std::memory_order_relaxed); }

  // the next members are in the padding of the base
  bool constant = false;    ///< for literals: one state serves all passes
  bool uncounted = false;   ///< for literals and weights: open from the start, to users that need not leave
  bool wantsDelta = false;  ///< trainable, in a pass that accumulates deltas
  bool pending = false;     ///< in the pass's list of nodes to flush
  bool kept = false;        ///< the pass keeps the node alive; else a node visited before does
  GraphNode* const node;
  std::atomic<Pass*> holder{nullptr};  ///< the pass that has the state
  std::atomic<std::uint32_t> users{0};
  std::atomic<std::uint32_t> keepers{0};  ///< derivatives that need the data
  std::atomic<std::uint32_t> settled{0};  ///< references of operations that have used the data in this pass
  /// A hint: the thread that computed the data or, for a weight, sent the last delta.
  std::atomic<const void*> thread{nullptr};
  std::uint32_t next = 0;  ///< of an operation: the operand to visit next
  std::exception_ptr error;
  NodeState* nextReady = nullptr;    ///< in a list of nodes whose last user has left
  NodeState* nextVisited = nullptr;  ///< in the pass's list of all its nodes

  /// Returns the new number of users. Precondition: the lock is held.
  std::uint32_t addUsers(std::uint32_t number) noexcept;
};

/// Nodes whose last user has left, to be flushed.
class ReadyList {
 public:
  bool empty() const noexcept { return head_ == nullptr; }
  NodeState* head() const noexcept { return head_; }
  void push(NodeState& state) noexcept { state.nextReady = std::exchange(head_, &state); }
  NodeState& pop() noexcept { return *std::exchange(head_, head_->nextReady); }

 private:
  NodeState* head_ = nullptr;
};

/// The holder that keeps a node alive until the pass ends.
enum class HeldBy : bool { otherNode, pass };

/// The least cost, in ns, of a branch that is worth the hand-over to another thread.
inline constexpr float worthAFork = 20'000;

/// Immutable except for its slot, the state in the pass that came first; other passes that use the node
/// meanwhile keep their states in a map. As a ProgramNode it acquires its tape in the pass of the run's
/// environment.
class GraphNode : public ProgramNode {
 public:
  explicit GraphNode(bool trainable, float cost = 0) noexcept : trainable_(trainable), cost_(cost) {}

  void step(Run& run, Keeper::Raw keeper) const final;

  /// The name in errors and for observers: an operation's own name.
  virtual std::string_view name() const noexcept = 0;
  /// Whether a delta that reaches the node can reach a weight.
  bool trainable() const noexcept { return trainable_; }
  /// An estimate in ns of forward and backward of the node and all its dependencies, which decides whether a
  /// branch is worth a fork.
  float cost() const noexcept { return cost_; }

  /// Enters as a user: finds the node's state in the pass, and enters it. The first user in the pass is the
  /// opener. Cost: an uncontended lock.
  Entry enterIn(Pass& pass, HeldBy heldBy, NodeState*& state);
  /// Returns the node's state in the pass, which keeps the node. Precondition: the node need not be opened.
  NodeState& stateIn(Pass& pass);

  /// The nodes whose data the node's forward takes; none for a literal, a weight or a program.
  virtual std::span<const Ref<GraphNode>> operands() const noexcept { return {}; }
  /// The states of the operands in the pass of this state, as far as the node has visited them.
  virtual std::span<NodeState*> operandStates(NodeState&) const noexcept { return {}; }
  /// What the derivative of an operation needs.
  virtual Keep keep() const noexcept { return Keep::nothing; }
  /// The forward of an operation: computes the state's data from the operands' data. May throw.
  virtual void compute(NodeState&) {}
  /// The derivative of an operation: sends deltas to the operands that want them, if the state has a delta.
  /// May throw.
  virtual void derive(NodeState&) {}

  /// For the opener: ends with state.finish(Phase::open) or failed(). May leave frames in the run instead. An
  /// operation visits its operands, those worth a fork in parallel, then computes.
  virtual void open(Run& run, NodeState& state);

  /// Derives, unless the pass has failed, and leaves the operands; operands that have no other user are added
  /// to the list. A node that `flushesInSteps` leaves frames in the run instead, and adds nothing.
  virtual void flush(Run& run, NodeState& state, ReadyList& ready);
  virtual bool flushesInSteps() const noexcept { return false; }

  /// Counts one more operation that has used the data. Returns true if no user can ask for the data any more
  /// in this pass.
  bool settle(NodeState& state) noexcept;
  /// Drops the state of a node without users, if no user can ask for it any more.
  void dropUnreachable(NodeState& state) noexcept;
  /// The same for a node that is alone and whose only user leaves.
  void dropAlone(NodeState& state) noexcept;

  /// The shape of the data, if it is a tensor whose shape does not depend on the pass; else null.
  virtual const Shape* knownShape() const noexcept { return nullptr; }
  /// Fills in what is known of the node whatever the pass. The shapes of the operands are filled in before,
  /// or left out.
  virtual void describe(extend::NodeDetails& details) const = 0;
  /// Fills in a copy of the rows of a table.
  virtual void describeRows(extend::NodeDetails&) const {}

  /// Returns the node from which the layer that a program has made takes its data in the pass of this state,
  /// or null.
  virtual NodeState* chosenIn(const NodeState&) const noexcept { return nullptr; }

  /// Returns the node as a trainable node, or null.
  virtual TrainableNode* asTrainable() noexcept { return nullptr; }

 protected:
  /// Takes over whether an operand is trainable, and adds the costs of the operands and its own.
  void dependOn(std::span<const Ref<GraphNode>> operands, float own) noexcept {
    for (const auto& operand : operands) {
      trainable_ |= operand->trainable_;
      cost_ += operand->cost_;
    }
    cost_ += own;
  }

  /// Called under the node's lock when a pass takes the state. Returns false, having done nothing, if it must
  /// be tried again soon.
  virtual bool enterPass(const Pass&, NodeState&) noexcept { return true; }
  /// For enterPass of a weight: returns the weight's state in the pass that `pass` is a part of, or null.
  NodeState* stateInWhole(const Pass& pass) noexcept;
  virtual NodeState& slot() noexcept = 0;
  virtual std::unique_ptr<NodeState> makeState() = 0;
  friend class Pass;

  SpinLock lock_;  ///< held while the slot is given to a pass

 private:
  struct Found {
    NodeState* state;
    bool first;  ///< the pass had no state before; the caller is the opener
  };
  void drop(NodeState& state) noexcept;
  Found find(Pass& pass, HeldBy heldBy);
  bool unreachable(const NodeState& state, std::uint64_t settled) noexcept;

  bool trainable_;
  float cost_;
};

/// Lets the run visit a node that the user has entered as `entry`: the frame below is resumed when the node
/// is open or failed.
void visit(Run& run, NodeState& state, Entry entry);

/// Adds the operation of the node, which has thrown the error, to the trace of the error.
void noteThrown(const std::exception_ptr& error, const NodeState& state) noexcept;
/// Adds the operations between a failed node and the node that has caused the failure to the trace of the
/// error.
void notePath(NodeState& failed) noexcept;
/// Adds the operations from the node to the loss, while deltas flow.
void notePathToLoss(const std::exception_ptr& error, const NodeState& culprit) noexcept;

/// Flushes all nodes in the list, and the nodes that become ready by this, branches in parallel. May leave
/// frames in the run.
void flushAll(Run& run, ReadyList ready);

/// Leaves the node; if the caller was its last user, the node is flushed now (by way of the list) or when the
/// pass closes.
void leaveNode(NodeState& state, ReadyList& ready) noexcept;

}  // namespace tapestry::detail
#pragma GCC visibility pop
