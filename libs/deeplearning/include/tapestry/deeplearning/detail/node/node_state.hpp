// Defines NodeState, the state of one node of a network in one pass.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

struct NodeDetails;

}  // namespace tapestry::extend

namespace tapestry::detail {

class GraphNode;
class Pass;

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
  /// For the opener: admit the opener and all waiting users. A null reason means Cancelled.
  void opened() noexcept;
  void failed(std::exception_ptr reason) noexcept;
  /// Leaves as a user; returns true for the last user.
  bool leave() noexcept;
  bool hasUsers() noexcept;
  /// Whether only one node, the caller, has this node as an operand, so that no other user can come.
  bool isAlone() const noexcept;
  /// Whether the caller is the only user. This stays true if no other users can come any more.
  bool hasOneUser() const noexcept { return users.load(std::memory_order_acquire) == 1; }

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
  bool uncounted = false;   ///< for literals and weights: open from the start, to users that need not leave
  bool wantsDelta = false;  ///< trainable, in a pass that accumulates deltas
  bool pending = false;     ///< in the pass's list of nodes to flush
  bool kept = false;        ///< the pass keeps the node alive; else a node visited before does
  GraphNode* const node;
  std::atomic<Pass*> holder{nullptr};  ///< the pass that has the state
  std::atomic<std::uint32_t> users{0};
  std::atomic<std::uint32_t> keepers{0};  ///< derivatives that need the data
  std::atomic<std::uint32_t> settled{0};  ///< references of operations that have used the data in this pass
  std::uint32_t next = 0;                 ///< of an operation: the operand to visit next
  std::exception_ptr error;
  NodeState* nextReady = nullptr;    ///< in a list of nodes whose last user has left
  NodeState* nextVisited = nullptr;  ///< in the pass's list of all its nodes

 private:
  void finish(Phase result) noexcept;
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

}  // namespace tapestry::detail
#pragma GCC visibility pop
