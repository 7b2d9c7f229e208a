#include "tapestry/raii/detail/pool_opening.hpp"

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/raii/detail/pool_gate.hpp"

namespace tapestry::detail {

PoolOpening::PoolOpening(Ref<PoolGate> gate, Ref<PoolPlace> place, const Run& user) noexcept
    : DetachedRun(user), gate_(std::move(gate)), place_(std::move(place)) {}

PoolOpening::~PoolOpening() = default;

bool PoolOpening::leave() noexcept {
  gate_->add(*this);
  bool ended = false;
  {
    const SpinGuard guard(queue_.lock);
    ended = hasEnded_;
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
  const SpinGuard guard(queue_.lock);
  return hasEnded_;
}

bool PoolOpening::endForUser() noexcept {
  Waiter* waiter = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    if (userLeft_) return false;
    hasEnded_ = true;
    waiter = static_cast<Waiter*>(queue_.pop());
  }
  if (waiter) waiter->wake();
  return true;
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

}  // namespace tapestry::detail
