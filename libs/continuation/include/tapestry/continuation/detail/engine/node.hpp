// Defines Node, the base of all shared objects, with an intrusive reference count, Ref, a counting pointer to
// a Node, Keeper, with which a run keeps a Node alive, and ProgramNode, an erased program.
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
  /// Pure, so that compilers do not guess that a dead node is nothing but a Node.
  virtual ~Node() = 0;

  using Pooled::operator delete;
  /// Inlined, unlike that of Pooled: only virtual destructors of nodes call it, and compilers do not inline
  /// those into blocks of direct style.
  static void operator delete(void* memory, std::size_t bytes) noexcept { deallocateNode(memory, bytes); }

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
  [[gnu::nonnull]] static void bury(Node* node) noexcept;
  /// Destroys the dead nodes of this thread.
  static void buryRest() noexcept;

  /// The number of references; in a dead node, the address of the next dead node.
  mutable std::atomic<std::uint64_t> references_{1};
};

inline Node::~Node() = default;

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
  Ref(Ref&& other) noexcept : node_(other.detach()) {}
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
  [[nodiscard]] N* detach() noexcept {
    N* const node = node_;
    node_ = nullptr;
    return node;
  }

  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.node_ == b.node_; }

 private:
  N* node_ = nullptr;
};

/// Constructs a node. If its constructor throws, frees the memory out of line, as Pooled does.
template <class N, class Base = N, class... Arguments>
Ref<Base> makeRef(Arguments&&... arguments) {
  if constexpr (alignof(N) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    return Ref<Base>::adopt(new N(std::forward<Arguments>(arguments)...));
  } else {
    struct Memory {
      ~Memory() {
        if (bytes) Pooled::operator delete(bytes, sizeof(N));
      }
      void* bytes = Pooled::allocate<sizeof(N)>();
    } memory;
    Base* const node = ::new (memory.bytes) N(std::forward<Arguments>(arguments)...);
    memory.bytes = nullptr;
    return Ref<Base>::adopt(node);
  }
}

/// Owns a reference to a node; empty where another owner keeps the node for longer. The step of a program
/// gets the keeper of the program, and gives it to the frame that refers to the program, to Run::keep, or to
/// the step of another program; else the program is released at the end of the step.
class Keeper {
 public:
  /// A keeper as an argument of a virtual call, passed in a register. The callee makes a Keeper from it.
  struct Raw {
    const Node* node;
  };

  constexpr Keeper() noexcept = default;
  template <class N>
  Keeper(Ref<N> node) noexcept : node_(node.detach()) {}
  Keeper(Raw raw) noexcept : node_(raw.node) {}
  /// Takes over the reference that the caller owns; null for nothing.
  static Keeper adopt(const Node* node) noexcept { return Raw{node}; }

  Keeper(Keeper&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Keeper& operator=(Keeper other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Keeper() {
    if (node_) node_->release();
  }

  explicit operator bool() const noexcept { return node_ != nullptr; }
  /// Releases the node before the destructor does. Inlined, for steps where a call takes longer than the
  /// work.
  [[gnu::always_inline]] void release() noexcept {
    if (node_) std::exchange(node_, nullptr)->releaseInlined();
  }
  /// Gives the reference to the caller; null for nothing.
  [[nodiscard]] const Node* detach() noexcept { return std::exchange(node_, nullptr); }

 private:
  const Node* node_ = nullptr;
};

/// The address of `valueKey<A>` names a type of values.
template <class A>
inline constexpr char valueKey = 0;

class Run;

/// An erased program: `step` starts it in a run. `keeper` keeps the program itself, or is empty.
class ProgramNode : public Node {
 public:
  virtual void step(Run& run, Keeper::Raw keeper) const = 0;
  /// If the program yields at once: puts the value, even if the run is asked to stop, and returns true.
  virtual bool putAtOnce([[maybe_unused]] Run& run) const { return false; }

  /// If this is the release of a value that goes back to its source when no function has got it: takes the
  /// value, of the `type` &valueKey<A>, and returns true. With a null value only returns whether the release
  /// is of this kind.
  virtual bool takeBack([[maybe_unused]] void* value, [[maybe_unused]] const void* type) const noexcept {
    return false;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
