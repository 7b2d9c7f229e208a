// Defines the functions of Run that yield to other tasks, apart from the loop, whose every instruction
// matters.
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"

namespace tapestry::detail {

namespace {

/// Called by a run that keeps this thread: offers the branches that wait for the thread to idle workers.
void leaveBranches(Executor* workers, Gather* gather) noexcept {
  // only now and then, since a branch that begins offers the following branches anyway
  if (++threadState.ready.turnsKept % 1024 != 0 || !workers || !workers->idle()) return;
  if (gather) gather->share();
  for (Task** link = &threadState.ready.branches; *link;) {
    Task* const next = (*link)->nextTask;
    auto* const ticket = dynamic_cast<BranchTicket*>(*link);
    if (ticket && ticket->leaveTo(*workers))
      *link = next;
    else
      link = &(*link)->nextTask;
  }
}

}  // namespace

/// Called with the next program when this thread's turn is over; returns whether the run was posted to its
/// executor again, behind the tasks that wait there.
bool Run::makesWay(std::uintptr_t next) noexcept {
  if (executor_->stepsPerTurn() == 0 || !executor_->isHelpedHere())
    leaveBranches(environment_->workers(), gather_);
  else if (gather_)
    gather_->turnEnded();
  if (!turnEnds(*executor_)) return false;
  const std::uintptr_t later = environment_->hasSlots() ? observedTurn(next) : next;
  next_ = later | madeWay;
  if (executor_->post(*this)) return true;
  next_ = 0;
  if (later != next) endObservedTurn(later);
  stopSoon();
  return false;
}

bool Run::countStep() noexcept {
  std::uint32_t& left = threadState.ready.stepsLeft;
  if (left == 1) return false;
  --left;
  return true;
}

namespace {

/// A step of a block that waits for the block's next turn.
class LaterStep final : public ProgramNode {
 public:
  LaterStep(const void* self, FrameFunction* take) noexcept : self_(self), take_(take) {}

  void step(Run& run, Keeper::Raw keeper) const override {
    const void* const self = self_;
    const auto take = take_;
    static_cast<void>(Keeper(keeper));  // releases this
    take(self, run);
  }

 private:
  const void* const self_;
  FrameFunction* const take_;
};

/// An environment in which a stop has been requested from the beginning.
class StoppedEnvironment final : public StopState, public Environment {
 public:
  explicit StoppedEnvironment(const Environment* parent) noexcept
      : Environment(parent, static_cast<StopState&>(*this)) {
    request();
  }
};

/// The executor of a run whose executor has refused it; refuses the run again at the end of each turn.
class RefusedExecutor final : public Executor {
 public:
  bool post(Task&) noexcept override { return false; }
  bool isHere() const noexcept override { return true; }
};

constinit RefusedExecutor refusedExecutor;

}  // namespace

void Run::takeStepLater(const void* self, FrameFunction* step) { next(makeRef<const LaterStep>(self, step)); }

/// The executor has refused the run in the middle of its work, when the run may hold values that must be
/// released. So the run continues, on this thread, until it checks for requests to stop, or until a mask
/// ends. Not every step checks, so each step is a turn that is refused again.
void Run::stopSoon() noexcept {
  moveTo(refusedExecutor);
  threadState.ready.stepsLeft = 1;
  if (&stopState() == &StopState::never() || stopRequested()) return;
  constexpr auto stopped = [](Run& run) {
    if (run.stopRequested() || !run.stopErrors().empty()) return;
    run.stop(Errors(std::make_exception_ptr(ExecutorStopped())));
  };
  push<nullptr, stopped>();
  enter(makeRef<const StoppedEnvironment>(environment_));
}

}  // namespace tapestry::detail
