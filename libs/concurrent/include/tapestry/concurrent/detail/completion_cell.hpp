// Defines CompletionCell, a node that is set once, and for which runs wait.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class CompletionCell final : public Node {
 public:
  /// Sets the node, and wakes all waiters; false if there was a node before.
  bool complete(Ref<const Node> node) noexcept;

  bool isComplete() noexcept;

  /// The node, or null. Precondition: the caller knows that the cell is complete, or holds the lock.
  const Node* node() const noexcept { return node_.get(); }

  WaitQueue queue;

 private:
  Ref<const Node> node_;  ///< guarded by queue.lock while it is null
};

/// The place of a run that waits for the node.
class CompletionWaiter : public Waiter {
 public:
  using Request = Ref<CompletionCell>;
  explicit CompletionWaiter(const Request& cell) noexcept : Waiter(cell->queue), cell_(*cell) {}

  static void declined() noexcept {}

 protected:
  const Node& node() const noexcept { return *cell_.node(); }

 private:
  bool enter() noexcept final { return cell_.node() != nullptr; }
  CompletionCell& cell_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
