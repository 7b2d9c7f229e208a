#include "tapestry/concurrent/read_write_lock.hpp"

#include "lock_places.hpp"

namespace tapestry {

using Mode = detail::LockState::Mode;

ReadWriteLock::ReadWriteLock() : state_(detail::makeRef<detail::LockState>()) {}

Do<void> ReadWriteLock::readLock(detail::Location location) const {
  return extend::waitFor<void, detail::LockPlace>({state_, Mode::shared}, "ReadWriteLock::readLock",
                                                  location);
}

Do<void> ReadWriteLock::writeLock(detail::Location location) const {
  return extend::waitFor<void, detail::LockPlace>({state_, Mode::exclusive}, "ReadWriteLock::writeLock",
                                                  location);
}

bool ReadWriteLock::isLocked() const noexcept { return !state_->isFree(); }

}  // namespace tapestry
