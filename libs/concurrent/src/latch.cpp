#include "tapestry/concurrent/latch.hpp"

#include "tapestry/concurrent/detail/arguments.hpp"

namespace tapestry::detail {

LatchState::LatchState(std::size_t count) noexcept : count_(count) {
  if (count == 0) opened->complete();
}

bool LatchState::countDown() noexcept {
  std::size_t left = count_.load();
  do {
    if (left == 0) return false;
  } while (!count_.compare_exchange_weak(left, left - 1));
  if (left == 1) opened->complete();
  return true;
}

}  // namespace tapestry::detail

namespace tapestry {

Latch::Latch(std::ptrdiff_t count)
    : state_(detail::makeRef<detail::LatchState>(detail::atLeast(0, count, "Latch", "the count"))) {}

bool Latch::countDown() const noexcept { return state_->countDown(); }

Do<void> Latch::wait(detail::Location location) const {
  return extend::waitFor<void, detail::EndWaiter>(state_->opened, "Latch::wait", location);
}

std::size_t Latch::count() const noexcept { return state_->count(); }

}  // namespace tapestry
