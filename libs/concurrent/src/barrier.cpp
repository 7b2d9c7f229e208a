#include "tapestry/concurrent/barrier.hpp"

#include <utility>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

std::size_t BarrierState::arrived() noexcept {
  const SpinGuard guard(queue_.lock);
  return arrived_;
}

std::uint64_t BarrierState::arrive() noexcept {
  std::uint64_t cycle = 0;
  wakeAllIf(queue_, [&] {
    cycle = cycle_;
    if (++arrived_ != parties_) return false;
    arrived_ = 0;
    ++cycle_;
    return true;
  });
  return cycle;
}

void BarrierState::takeBack(std::uint64_t cycle) noexcept {
  const SpinGuard guard(queue_.lock);
  if (cycle == cycle_) --arrived_;
}

/// A run that has arrived, and waits for the end of the cycle.
class BarrierArrival : public Waiter {
 public:
  using Request = Ref<BarrierState>;
  explicit BarrierArrival(const Request& barrier) noexcept
      : Waiter(barrier->queue_), barrier_(*barrier), cycle_(barrier->arrive()) {}
  /// Takes over the arrival, in order to wait.
  BarrierArrival(const Request& barrier, BarrierArrival&& before) noexcept
      : Waiter(barrier->queue_),
        barrier_(*barrier),
        cycle_(before.cycle_),
        counted_(std::exchange(before.counted_, false)) {}
  BarrierArrival(const BarrierArrival&) = delete;
  BarrierArrival& operator=(const BarrierArrival&) = delete;
  ~BarrierArrival() override { takeBack(); }

  static extend::Acquired<void> served() { return {Try<void>::success(Unit{}), {}}; }

 private:
  bool enter() noexcept final { return barrier_.cycle_ != cycle_; }
  void left() noexcept final { takeBack(); }
  /// Only the first call has an effect. After the end of the cycle there is nothing to take back.
  void takeBack() noexcept {
    if (std::exchange(counted_, false)) barrier_.takeBack(cycle_);
  }

  BarrierState& barrier_;
  const std::uint64_t cycle_;
  bool counted_ = true;
};

}  // namespace tapestry::detail

namespace tapestry {

Barrier::Barrier(std::ptrdiff_t parties)
    : state_(detail::makeRef<detail::BarrierState>(
          detail::atLeast(1, parties, "Barrier", "the number of parties"))) {}

Do<void> Barrier::arriveAndWait(detail::Location location) const {
  return extend::waitFor<void, detail::BarrierArrival>(state_, "Barrier::arriveAndWait", location);
}

std::size_t Barrier::arrived() const noexcept { return state_->arrived(); }

}  // namespace tapestry
