#include "tapestry/concurrent/mutex.hpp"

#include "lock_places.hpp"

namespace tapestry {

using Mode = detail::LockState::Mode;

Mutex::Mutex() : state_(detail::makeRef<detail::LockState>()) {}

Do<void> Mutex::lock(detail::Location location) const {
  return extend::waitFor<void, detail::LockPlace>({state_, Mode::exclusive}, "Mutex::lock", location);
}

Do<bool> Mutex::tryLock() const {
  return extend::waitFor<bool, detail::TryLockPlace>({state_, Mode::exclusive}, "Mutex::tryLock",
                                                     detail::Location::current());
}

bool Mutex::isLocked() const noexcept { return !state_->isFree(); }

}  // namespace tapestry
