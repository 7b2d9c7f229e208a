// Defines ProgramNode, an erased program, Keeper, with which a run keeps the program alive, and valueKey,
// which names a type.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
