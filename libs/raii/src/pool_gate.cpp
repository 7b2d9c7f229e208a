#include "tapestry/raii/detail/pool_gate.hpp"

#include <stdexcept>

#include "tapestry/raii/pool.hpp"

namespace tapestry {

const char* PoolClosed::what() const noexcept {
  return "tapestry::Pool::use: the pool is closed, expected use before its shutdown";
}

namespace detail {

void PoolGate::checkSize(std::size_t size) {
  if (size == 0)
    throw std::invalid_argument(
        "tapestry::Pool: there is no place in it, got 0, expected a size of 1 or more");
}

PoolGate::Phase PoolGate::phase() noexcept {
  const SpinGuard guard(lock_);
  return phase_;
}

Do<void> PoolGate::place(Location location) {
  const auto self = Ref<PoolGate>::share(this);
  const auto enter = Do<void>::suspend([self, permit = places_.permit(1, location)] {
    return self->phase() == Phase::open ? permit : Do<void>::raiseError(PoolClosed());
  });
  // one that came while the pool began to close may stand in the queue behind who closes it
  return enter.map([self] {
    if (self->phase() == Phase::closed) throw PoolClosed();
  });
}

Do<void> PoolGate::allPlaces(Location location) {
  const auto close = Do<void>::delay([self = Ref<PoolGate>::share(this)] {
    const SpinGuard guard(self->lock_);
    if (self->phase_ == Phase::open) self->phase_ = Phase::closing;
  });
  return close.flatMap([all = places_.permit(size(), location)] { return all; });
}

void PoolGate::closed() noexcept {
  const SpinGuard guard(lock_);
  phase_ = Phase::closed;
}

Ref<PooledInstance> PoolGate::takeIdle() noexcept {
  const SpinGuard guard(lock_);
  auto instance = std::move(oldest_);
  if (instance) oldest_ = std::move(instance->next_);
  return instance;
}

void PoolGate::putIdle(Ref<PooledInstance> instance) noexcept {
  PooledInstance* last = instance.get();
  const SpinGuard guard(lock_);
  (oldest_ ? newest_->next_ : oldest_) = std::move(instance);
  newest_ = last;
}

}  // namespace detail

}  // namespace tapestry
