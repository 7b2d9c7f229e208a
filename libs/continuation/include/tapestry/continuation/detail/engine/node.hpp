// Defines Node, the base of all shared objects, with an intrusive reference count, and Ref, a counting
// pointer to a Node.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/engine/node_pool.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Created with one reference. The last release destroys the node without recursion, however long the chain
/// of nodes that it holds.
class Node : public Pooled {
 public:
  constexpr Node() noexcept = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  void retain() const noexcept {
    // relaxed: a new reference is made from one that this thread already holds
    references_.fetch_add(1, std::memory_order_relaxed);
  }

  void release() const noexcept { releaseInlined(); }

  /// As release, where a call would take longer than what it does.
  [[gnu::always_inline]] void releaseInlined() const noexcept {
    // acquire/acq_rel: the last holder sees everything that earlier holders did to the node
    if (references_.load(std::memory_order_acquire) == 1 ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      bury(const_cast<Node*>(this));
  }

  std::uint64_t references() const noexcept { return references_.load(std::memory_order_acquire); }

 private:
  static void bury(Node* node) noexcept;

  /// The number of references; in a dead node, the address of the next dead node.
  mutable std::atomic<std::uint64_t> references_{1};
};

template <class N>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(std::nullptr_t) noexcept {}

  /// Takes over a reference of the caller.
  static Ref adopt(N* node) noexcept {
    Ref ref;
    ref.node_ = node;
    return ref;
  }

  /// Adds a reference.
  static Ref share(N* node) noexcept {
    if (node) node->retain();
    return adopt(node);
  }

  Ref(const Ref& other) noexcept : node_(other.node_) {
    if (node_) node_->retain();
  }
  Ref(Ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  template <class M>
    requires std::convertible_to<M*, N*>
  Ref(Ref<M> other) noexcept : node_(other.detach()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Ref() {
    if (node_) node_->release();
  }

  N* get() const noexcept { return node_; }
  N* operator->() const noexcept { return node_; }
  N& operator*() const noexcept { return *node_; }
  explicit operator bool() const noexcept { return node_ != nullptr; }

  /// Gives the reference to the caller.
  N* detach() noexcept { return std::exchange(node_, nullptr); }

  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.node_ == b.node_; }

 private:
  N* node_ = nullptr;
};

template <class N, class... Arguments>
Ref<N> makeRef(Arguments&&... arguments) {
  return Ref<N>::adopt(new N(std::forward<Arguments>(arguments)...));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
