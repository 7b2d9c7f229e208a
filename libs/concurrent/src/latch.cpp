#include "tapestry/concurrent/latch.hpp"

#include <stdexcept>
#include <string>

#include "event_waiter.hpp"

namespace tapestry::detail {

LatchState::LatchState(std::size_t count) noexcept : count_(count) {
  if (count == 0) opened->set();
}

bool LatchState::countDown() noexcept {
  std::size_t left = count_.load();
  do {
    if (left == 0) return false;
  } while (!count_.compare_exchange_weak(left, left - 1));
  if (left == 1) opened->set();
  return true;
}

namespace {

std::size_t latchCount(std::ptrdiff_t count) {
  if (count >= 0) return static_cast<std::size_t>(count);
  throw std::invalid_argument("tapestry::Latch: there is no such count, got " + std::to_string(count) +
                              ", expected 0 or more");
}

}  // namespace

}  // namespace tapestry::detail

namespace tapestry {

Latch::Latch(std::ptrdiff_t count) : state_(detail::makeRef<detail::LatchState>(detail::latchCount(count))) {}

bool Latch::countDown() const noexcept { return state_->countDown(); }

Do<void> Latch::wait(detail::Location location) const {
  return extend::waitFor<void, detail::EventWaiter>(state_->opened, "Latch::wait", location);
}

std::size_t Latch::count() const noexcept { return state_->count(); }

}  // namespace tapestry
