// Defines CompletionCell, an end for which runs wait, and the waits for it.
#pragma once

#include <utility>

#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A flag that is set once, with a node as the result, or a flag without a node, which can be unset.
class CompletionCell final : public Node {
 public:
  /// Sets the flag and the node, and wakes all waiters; false if the flag was set before.
  bool complete(Ref<const Node> node = {}) noexcept;
  /// Unsets the flag; false if it was not set. Precondition: the cell never has a node.
  bool reset() noexcept;

  bool isComplete() noexcept;

  /// The node, or null. Precondition: the caller knows that the cell is complete, or holds the lock.
  const Node* node() const noexcept { return node_.get(); }

  [[no_unique_address]] WaitQueue queue;

 private:
  friend class CompletionWaiter;
  bool isSet_ = false;    ///< guarded by queue.lock
  Ref<const Node> node_;  ///< guarded by queue.lock until the flag is set
};

/// The place of a run that waits until the flag is set.
class CompletionWaiter : public Waiter {
 public:
  using Request = Ref<CompletionCell>;
  explicit CompletionWaiter(const Request& cell) noexcept : Waiter(cell->queue), cell_(*cell) {}

 protected:
  const Node& node() const noexcept { return *cell_.node(); }

 private:
  bool enter() noexcept final { return cell_.isSet_; }
  CompletionCell& cell_;
};

/// A run that waits for the end, whatever the node.
class EndWaiter : public CompletionWaiter {
 public:
  using CompletionWaiter::CompletionWaiter;
  static extend::Acquired<void> served() { return {Try<void>::success(Unit{}), {}}; }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
