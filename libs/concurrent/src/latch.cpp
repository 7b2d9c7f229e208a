#include "tapestry/concurrent/latch.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

bool LatchState::countDown() noexcept {
  WaitQueue::Waiter* all = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    if (count_ == 0) return false;
    if (--count_ == 0) all = queue_.popAll();
  }
  wakeAll(all);
  return true;
}

std::size_t LatchState::count() noexcept {
  const SpinGuard guard(queue_.lock);
  return count_;
}

class LatchWaiter : public Waiter {
 public:
  using Request = Ref<LatchState>;
  explicit LatchWaiter(const Request& latch) noexcept : Waiter(latch->queue_), latch_(*latch) {}

  static extend::Acquired<void> served() { return {Try<void>::success(Unit{}), {}}; }
  static void declined() noexcept {}

 private:
  bool enter() noexcept final { return latch_.count_ == 0; }
  LatchState& latch_;
};

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
  return extend::waitFor<void, detail::LatchWaiter>(state_, "Latch::wait", location);
}

std::size_t Latch::count() const noexcept { return state_->count(); }

}  // namespace tapestry
