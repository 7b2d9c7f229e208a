#include "tapestry/concurrent/event.hpp"

#include <utility>

#include "event_waiter.hpp"

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

}  // namespace tapestry::detail

namespace tapestry {

Event::Event() : state_(detail::makeRef<detail::EventState>()) {}

Do<void> Event::wait(detail::Location location) const { return waitAs("Event::wait", location); }
Do<void> Event::waitAs(const char* name, detail::Location location) const {
  return extend::waitFor<void, detail::EventWaiter>(state_, name, location);
}
bool Event::set() const noexcept { return state_->set(); }
bool Event::reset() const noexcept { return state_->reset(); }
bool Event::isSet() const noexcept { return state_->isSet(); }

}  // namespace tapestry
