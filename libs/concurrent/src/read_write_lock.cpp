#include "tapestry/concurrent/read_write_lock.hpp"

#include <limits>

namespace tapestry {

namespace {

constexpr std::size_t mostReaders = std::numeric_limits<std::size_t>::max();

}  // namespace

ReadWriteLock::ReadWriteLock()
    : write_(detail::makeRef<detail::Permits>(mostReaders), mostReaders),
      read_(detail::Ref<detail::Permits>::share(write_.permits), 1) {}

Do<void> ReadWriteLock::readLock(detail::Location location) const {
  return detail::take(read_, "ReadWriteLock::readLock", location);
}

Do<void> ReadWriteLock::writeLock(detail::Location location) const {
  return detail::take(write_, "ReadWriteLock::writeLock", location);
}

bool ReadWriteLock::isLocked() const noexcept { return write_.permits->available() != mostReaders; }

}  // namespace tapestry
