// Defines Environment, the immutable context that a run carries down to its leaves.
#pragma once

#include "tapestry/continuation/detail/node.hpp"
#include "tapestry/continuation/detail/stop_state.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// The address of `slotKey<Slot>` names a slot.
template <class Slot>
inline constexpr char slotKey = 0;

/// Borrows all that it refers to, and is borrowed by its runs: whoever starts a run, or whichever frame
/// enters an environment, keeps it until the run has ended, or has left it.
class Environment {
 public:
  Environment(Executor* workers, StopState& stop) noexcept : workers_(workers), stop_(&stop) {}
  /// As the parent, with another stop.
  Environment(const Environment* parent, StopState& stop) noexcept : Environment(parent) { stop_ = &stop; }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  /// Where parallel branches are offered; null when nobody can help.
  Executor* workers() const noexcept { return workers_; }

  StopState& stop() const noexcept { return *stop_; }

  bool hasSlots() const noexcept { return key_ || parent_; }

  /// The innermost value of the slot, or null. Cost: O(slots and changes between here and it).
  template <class Slot>
  const typename Slot::Type* find() const noexcept;

 protected:
  /// As the parent. What has no slot of its own is not kept as a parent, so that chains are as long as their
  /// slots.
  explicit Environment(const Environment* parent, const void* key = nullptr) noexcept
      : key_(key),
        workers_(parent->workers_),
        stop_(parent->stop_),
        parent_(parent->key_ ? parent : parent->parent_) {}

  const void* const key_ = nullptr;

 private:
  Executor* workers_;
  StopState* stop_;
  const Environment* parent_ = nullptr;
};

template <class Slot>
class SlotEnvironment final : public Node, public Environment {
 public:
  SlotEnvironment(const Environment* parent, typename Slot::Type slotValue)
      : Environment(parent, &slotKey<Slot>), value(std::move(slotValue)) {}
  const typename Slot::Type value;
};

template <class Slot>
const typename Slot::Type* Environment::find() const noexcept {
  for (const Environment* at = this; at; at = at->parent_)
    if (at->key_ == &slotKey<Slot>) return &static_cast<const SlotEnvironment<Slot>*>(at)->value;
  return nullptr;
}

}  // namespace tapestry::detail
