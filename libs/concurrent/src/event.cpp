#include "tapestry/concurrent/event.hpp"

#include <utility>

#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

bool EventState::set() noexcept {
  WaitQueue::Waiter* all = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    if (std::exchange(isSet_, true)) return false;
    all = queue_.popAll();
  }
  wakeAll(all);
  return true;
}

bool EventState::reset() noexcept {
  const SpinGuard guard(queue_.lock);
  return std::exchange(isSet_, false);
}

bool EventState::isSet() noexcept {
  const SpinGuard guard(queue_.lock);
  return isSet_;
}

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

namespace tapestry {

Event::Event() : state_(detail::makeRef<detail::EventState>()) {}

Do<void> Event::wait(detail::Location location) const {
  return extend::waitFor<void, detail::EventWaiter>(state_, "Event::wait", location);
}
bool Event::set() const noexcept { return state_->set(); }
bool Event::reset() const noexcept { return state_->reset(); }
bool Event::isSet() const noexcept { return state_->isSet(); }

}  // namespace tapestry
