// Defines SharedCell, the place of a node that threads exchange.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Under the lock only pointers are read, counted and exchanged.
template <class N>
class SharedCell {
 public:
  explicit SharedCell(Ref<N> node = {}) noexcept : node_(std::move(node)) {}

  Ref<N> get() noexcept {
    const SpinGuard guard(lock_);
    return node_;
  }
  /// The previous node is dropped when the lock is free again.
  void set(Ref<N> node) noexcept {
    const SpinGuard guard(lock_);
    std::swap(node_, node);
  }
  /// Replaces `expected`, which may be null, by the node; false if another node is there. The caller holds
  /// `expected`, so that no other node has its address.
  bool replace(const N* expected, Ref<N> node) noexcept {
    const SpinGuard guard(lock_);
    if (node_.get() != expected) return false;
    std::swap(node_, node);
    return true;
  }

 private:
  Ref<N> node_;
  SpinLock lock_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
