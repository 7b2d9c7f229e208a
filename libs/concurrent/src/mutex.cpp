#include "tapestry/concurrent/mutex.hpp"

namespace tapestry {

Mutex::Mutex() : lock_(detail::makeRef<detail::Permits>(1), 1) {}

Do<void> Mutex::lock(detail::Location location) const { return detail::take(lock_, "Mutex::lock", location); }

Do<bool> Mutex::tryLock() const { return detail::tryTake(lock_); }

bool Mutex::isLocked() const noexcept { return lock_.permits->available() == 0; }

}  // namespace tapestry
