#include "tapestry/concurrent/event.hpp"

namespace tapestry {

Event::Event() : state_(detail::makeRef<detail::CompletionCell>()) {}

Do<void> Event::wait(detail::Location location) const {
  return extend::waitFor<void, detail::EndWaiter>(state_, "Event::wait", location);
}
bool Event::set() const noexcept { return state_->complete(); }
bool Event::reset() const noexcept { return state_->reset(); }
bool Event::isSet() const noexcept { return state_->isComplete(); }

}  // namespace tapestry
