// How a run whose turn is over makes way for others, apart from the loop, of which each instruction counts.
#include "tapestry/continuation/detail/engine/environment.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"

namespace tapestry::detail {

/// With what a step of this thread is about to begin with, after the last one of its turn: whether the run
/// was given to its executor again, behind what waits there.
bool Run::makesWay(std::uintptr_t next) noexcept {
  if (!turnEnds(*executor_)) return false;
  // the other branches of the gather wait too
  if (gather_) gather_->share();
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

/// A step of a block that waits for its turn.
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

/// A stop that was requested before it began.
class StoppedEnvironment final : public StopState, public Environment {
 public:
  explicit StoppedEnvironment(const Environment* parent) noexcept
      : Environment(parent, static_cast<StopState&>(*this)) {
    request();
  }
};

/// Where a run works whose executor has refused it: at the end of each turn it is refused again.
class RefusedExecutor final : public Executor {
 public:
  bool post(Task&) noexcept override { return false; }
  bool isHere() const noexcept override { return true; }
};

constinit RefusedExecutor refusedExecutor;

}  // namespace

void Run::takeStepLater(const void* self, FrameFunction* step) { next(makeRef<const LaterStep>(self, step)); }

/// The executor has refused the run in the middle of its work, when the run may hold what must be released.
/// So the run goes on, here, until it looks at requests to stop, or until a mask ends. A step need not look,
/// so each step asks again.
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
