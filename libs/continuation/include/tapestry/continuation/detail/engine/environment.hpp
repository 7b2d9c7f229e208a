// Defines Environment, the immutable context of a run, and ExecutorHold, which keeps an executor's core alive
// and its context at work.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/continuation/detail/engine/node.hpp"
#include "tapestry/continuation/detail/engine/stop_state.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Gives back a hold of a core.
struct LetGo {
  void operator()(Executor* core) const noexcept { core->letGo(); }
};
/// An owner of one hold of a core; may be empty.
using ExecutorHold = std::unique_ptr<Executor, LetGo>;

inline ExecutorHold holdOf(Executor& executor) noexcept {
  Executor& core = executor.core();
  core.hold();
  return ExecutorHold(&core);
}

/// The address of `slotKey<Slot>` names a slot.
template <class Slot>
inline constexpr char slotKey = 0;

/// A slot with a member `confined`: its value is valid only until the scope that set it has ended.
template <class Slot>
concept ConfinedSlot = requires { Slot::confined; };

/// A slot and a link to the outer slot: a chain of all slots.
struct SlotLink {
  SlotLink(const void* linkKey, const SlotLink* outerLink, const Node& keeperNode, bool isConfined) noexcept
      : key(linkKey),
        outer(outerLink),
        keeper(&keeperNode),
        confined(isConfined || (outer && outer->confined)) {}

  const void* key;
  const SlotLink* outer;
  const Node* keeper;  ///< keeps this link and, as long as it lives, all outer ones
  bool confined;       ///< whether this slot or an outer slot is confined
};

inline Ref<const Node> keeperOf(const SlotLink* slots) noexcept {
  return Ref<const Node>::share(slots ? slots->keeper : nullptr);
}

/// Borrows the objects that it refers to, and is borrowed by its runs: the starter of a run, or the frame
/// that enters an environment, keeps the environment until the run has ended, or has left it.
class Environment {
 public:
  constexpr Environment(Executor* workers, StopState& stop, const SlotLink* slots = nullptr) noexcept
      : workers_(workers), stop_(&stop), slots_(slots) {}
  /// As the parent, with another stop state.
  Environment(const Environment* parent, StopState& stop) noexcept
      : workers_(parent->workers_), stop_(&stop), slots_(parent->slots_) {}
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// The executor to which parallel branches are offered, or null.
  Executor* workers() const noexcept { return workers_; }

  StopState& stop() const noexcept { return *stop_; }

  bool hasSlots() const noexcept { return slots_; }
  const SlotLink* slots() const noexcept { return slots_; }

  /// The innermost value of the slot, or null. Cost: O(slots between here and it).
  template <class Slot>
  const typename Slot::Type* find() const noexcept;

 protected:
  /// As the parent, with the slot.
  Environment(const Environment* parent, const SlotLink& slot) noexcept
      : workers_(parent->workers_), stop_(parent->stop_), slots_(&slot) {}

 private:
  Executor* workers_;
  StopState* stop_;
  const SlotLink* slots_;
};

template <class Slot>
class SlotEnvironment final : public Node, public SlotLink, public Environment {
 public:
  SlotEnvironment(const Environment* parent, typename Slot::Type slotValue)
      : SlotLink(&slotKey<Slot>, parent->slots(), *this, ConfinedSlot<Slot>),
        Environment(parent, static_cast<const SlotLink&>(*this)),
        value(std::move(slotValue)),
        outerKeeper_(keeperOf(parent->slots())) {}
  const typename Slot::Type value;

 private:
  const Ref<const Node> outerKeeper_;
};

template <class Slot>
const typename Slot::Type* Environment::find() const noexcept {
  for (const SlotLink* at = slots_; at; at = at->outer)
    if (at->key == &slotKey<Slot>) return &static_cast<const SlotEnvironment<Slot>*>(at)->value;
  return nullptr;
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
