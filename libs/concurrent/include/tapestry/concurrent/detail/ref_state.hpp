// Defines RefState, the place of an immutable node that runs exchange.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Under the lock only pointers are read, counted and exchanged.
class RefState final : public Node {
 public:
  explicit RefState(Ref<const Node> node) noexcept : node_(std::move(node)) {}

  Ref<const Node> get() noexcept {
    const SpinGuard guard(lock_);
    return node_;
  }
  /// The previous node is dropped when the lock is free again.
  void set(Ref<const Node> node) noexcept {
    const SpinGuard guard(lock_);
    std::swap(node_, node);
  }
  /// Replaces `expected` by the node; false if another node is there. The caller holds `expected`, so that no
  /// other node has its address.
  bool replace(const Ref<const Node>& expected, Ref<const Node> node) noexcept {
    const SpinGuard guard(lock_);
    if (!(node_ == expected)) return false;
    std::swap(node_, node);
    return true;
  }

 private:
  Ref<const Node> node_;
  SpinLock lock_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
