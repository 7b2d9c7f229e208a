// Defines EventWaiter, a run that waits until an event is set.
#pragma once

#include "tapestry/concurrent/detail/event_state.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

class EventWaiter : public Waiter {
 public:
  using Request = Ref<EventState>;
  explicit EventWaiter(const Request& event) noexcept : Waiter(event->queue_), event_(*event) {}

  static extend::Acquired<void> served() { return {Try<void>::success(Unit{}), {}}; }
  static void declined() noexcept {}

 private:
  bool enter() noexcept final { return event_.isSet_; }
  EventState& event_;
};

}  // namespace tapestry::detail
