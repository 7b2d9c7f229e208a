#include "tapestry/concurrent/barrier.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

std::size_t BarrierState::arrived() noexcept {
  const SpinGuard guard(queue_.lock);
  return arrived_;
}

std::uint64_t BarrierState::arrive(bool& opened) noexcept {
  WaitQueue::Waiter* all = nullptr;
  std::uint64_t cycle = 0;
  {
    const SpinGuard guard(queue_.lock);
    cycle = cycle_;
    opened = ++arrived_ == parties_;
    if (!opened) return cycle;
    arrived_ = 0;
    ++cycle_;
    all = queue_.popAll();
  }
  wakeAll(all);
  return cycle;
}

void BarrierState::takeBack(std::uint64_t cycle) noexcept {
  const SpinGuard guard(queue_.lock);
  if (cycle == cycle_) --arrived_;
}

/// A run that has arrived, and waits for the end of the cycle.
class BarrierArrival final : public Waiter {
  using Ended = extend::Acquired<void>;

 public:
  BarrierArrival(Ref<BarrierState> barrier, std::uint64_t cycle) noexcept
      : Waiter(barrier->queue_), barrier_(std::move(barrier)), cycle_(cycle) {}

  static void start(const Ref<BarrierState>& barrier, Run& run, const Wait& wait) {
    if (run.stopIfRequested()) return;
    bool opened = false;
    const auto cycle = barrier->arrive(opened);
    if (opened) return run.put(Ended{Try<void>::success(Unit{}), {}});
    run.park(
        run.push<&BarrierArrival::goOn, &BarrierArrival::refused>(makeRef<BarrierArrival>(barrier, cycle)),
        wait);
  }

 private:
  bool enter() noexcept override { return barrier_->cycle_ != cycle_; }
  void left() noexcept override { takeBack(); }

  /// Once, also where the request came before the run waited, so that left() was not called.
  void takeBack() noexcept {
    if (!std::exchange(takenBack_, true)) barrier_->takeBack(cycle_);
  }
  void goOn(Run& run) {
    if (leave()) {
      takeBack();
      return run.stop(Errors());
    }
    run.put(Ended{Try<void>::success(Unit{}), {}});
  }
  /// The run's executor refused to go on with it, which is an error.
  void refused(Run& run) {
    if (leave()) {
      takeBack();
      return run.stop(Errors());
    }
    if (run.stopRequested()) return;
    run.put(Ended{Try<void>::failure(run.takeStop().toException()), {}});
  }

  const Ref<BarrierState> barrier_;
  const std::uint64_t cycle_;
  bool takenBack_ = false;
};

namespace {

class [[nodiscard("a program does nothing until it is run")]] ArriveAndWait
    : public ProgramOperations<ArriveAndWait> {
 public:
  using ValueType = extend::Acquired<void>;

  ArriveAndWait(Ref<BarrierState> barrier, Location location) noexcept
      : barrier_(std::move(barrier)), wait_{"Barrier::arriveAndWait", location} {}

  void step(Run& run, Keeper) const { BarrierArrival::start(barrier_, run, wait_); }

 private:
  Ref<BarrierState> barrier_;
  Wait wait_;
};

std::size_t barrierParties(std::ptrdiff_t parties) {
  if (parties >= 1) return static_cast<std::size_t>(parties);
  throw std::invalid_argument("tapestry::Barrier: there are no parties, got " + std::to_string(parties) +
                              ", expected 1 or more");
}

}  // namespace

}  // namespace tapestry::detail

namespace tapestry {

Barrier::Barrier(std::ptrdiff_t parties)
    : state_(detail::makeRef<detail::BarrierState>(detail::barrierParties(parties))) {}

Do<void> Barrier::arriveAndWait(detail::Location location) const {
  return Do<void>(UnitContinuation<extend::Acquired<void>>(detail::ArriveAndWait(state_, location)));
}

std::size_t Barrier::arrived() const noexcept { return state_->arrived(); }

}  // namespace tapestry
