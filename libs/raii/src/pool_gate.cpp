#include "tapestry/raii/detail/pool_gate.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tapestry/raii/pool.hpp"

namespace tapestry {

const char* PoolClosed::what() const noexcept {
  return "tapestry::Pool::use: the pool is closed, expected use before its shutdown";
}

namespace detail {

PoolOpening::PoolOpening(Ref<PoolGate> gate, Ref<PoolPlace> place, const Run& user) noexcept
    : DetachedRun(user), gate_(std::move(gate)), place_(std::move(place)) {
  phase = Phase::opening;
}

PoolOpening::~PoolOpening() = default;

bool PoolOpening::leave() noexcept {
  gate_->add(*this);
  bool ended = false;
  {
    const SpinGuard guard(queue.lock);
    ended = phase != Phase::opening;
    userLeft_ = !ended;
  }
  if (ended) {
    gate_->remove(*this);
    return false;
  }
  place_->takenOver = true;
  gate_->stopUnawaited();
  return true;
}

bool PoolOpening::hasEnded() noexcept {
  const SpinGuard guard(queue.lock);
  return phase != Phase::opening;
}

bool PoolOpening::endForUser() noexcept {
  return wakeAllIf(queue, [this] {
    if (!userLeft_) phase = Phase::open;
    return !userLeft_;
  });
}

void PoolOpening::givePlace(Run& run) noexcept {
  gate_->remove(*this);
  constexpr auto given = [](Run& r) {
    r.take<Errors>();
    r.put(Unit{});
  };
  run.push<given>();
  enterMask(run);
  run.next(place_->giving.node());
}

void PoolGate::checkSize(std::size_t size) {
  if (size == 0)
    throw std::invalid_argument(
        "tapestry::Pool: there is no place in it, got 0, expected a size of 1 or more");
}

PoolGate::Phase PoolGate::phase() noexcept {
  const SpinGuard guard(lock_);
  return phase_;
}

Do<Ref<PoolPlace>> PoolGate::place(Location location) {
  const auto self = Ref<PoolGate>::share(this);
  const auto enter = Do<void>::suspend([self, permit = places_.permit(1, location)] {
    return self->phase() == Phase::open ? permit : Do<void>::raiseError(PoolClosed());
  });
  // a user that came while the pool began to close may be in the queue behind the shutdown
  const auto entered = enter.map([self] {
    if (self->phase() == Phase::closed) throw PoolClosed();
  });
  UnitContinuation<Errors> left = delay([self] {
    self->stopUnawaited();
    return Errors();
  });
  using Held = Do<Ref<PoolPlace>>::Acquired;
  return Do<Ref<PoolPlace>>(
      onStop(entered.acquire(), std::move(left)).map([self](Do<void>::Acquired held) -> Held {
        if (!held.value.hasValue()) {
          self->stopUnawaited();
          return {Try<Ref<PoolPlace>>::failure(held.value.error()), std::move(held.release)};
        }
        // this run may have been the last that waited for a place
        self->stopUnawaited();
        const auto place = makeRef<PoolPlace>(*std::move(held.release));
        return {Try<Ref<PoolPlace>>::success(place),
                UnitContinuation<Errors>(suspend([place]() -> UnitContinuation<Errors> {
                  if (place->takenOver) return now(Errors());
                  return place->giving;
                }))};
      }));
}

Do<void> PoolGate::allPlaces(Location location) {
  const auto close = Do<void>::delay([self = Ref<PoolGate>::share(this)] {
    {
      const SpinGuard guard(self->lock_);
      if (self->phase_ == Phase::open) self->phase_ = Phase::closing;
    }
    self->stopUnawaited();
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

void PoolGate::add(PoolOpening& opening) {
  const SpinGuard guard(lock_);
  unused_.push_back(Ref<PoolOpening>::share(&opening));
}

void PoolGate::remove(PoolOpening& opening) noexcept {
  Ref<PoolOpening> removed;
  const SpinGuard guard(lock_);
  const auto at = std::ranges::find(unused_, &opening, &Ref<PoolOpening>::get);
  if (at == unused_.end()) return;
  removed = std::exchange(*at, std::move(unused_.back()));
  unused_.pop_back();
}

void PoolGate::stopUnawaited() noexcept {
  std::vector<Ref<PoolOpening>> asked;
  {
    const SpinGuard guard(lock_);
    if (unused_.empty() || (phase_ == Phase::open && places_.awaited())) return;
    asked.swap(unused_);
  }
  for (const auto& opening : asked) opening->request();
}

}  // namespace detail

}  // namespace tapestry
