#include "tapestry/continuation/detail/run.hpp"

#include "tapestry/continuation/detail/gather.hpp"
#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

void pushWoken(Task& task) noexcept {
  auto& ready = threadState.ready;
  task.nextTask = nullptr;
  (ready.wokenHead ? ready.wokenTail->nextTask : ready.wokenHead) = &task;
  ready.wokenTail = &task;
}

void drive(Task& task) noexcept {
  if (threadState.ready.driving) return pushWoken(task);
  const DriveScope scope;
  task.execute();
}

void Run::execute() noexcept {
  for (;;) {
    if (const auto next = std::exchange(next_, 0)) {
      if (next & isParker) {
        if (gather_) gather_->share();
        if (!reinterpret_cast<Parker*>(next & ~isParker)->park(*this)) return;
      } else {
        if (threadState.ready.stepsLeft-- == 0) [[unlikely]]
          if (makesWay(next)) return;
        reinterpret_cast<const ProgramNode*>(next & ~marks)->step(*this, next & isOwned);
      }
    } else if (!frames_.empty()) {
      const Frame frame = frames_.pop();
      if (stopping_) {
        if (frame.unwind) frame.unwind(frame.self, *this);
      } else if (frame.resume) {
        frame.resume(frame.self, *this);
      }
      if (frame.owned) frame.owned->release();
    } else {
      return ended();
    }
  }
}

/// With what a step of this thread is about to begin with, after the last one of its turn: whether the run
/// was given to its executor again, behind what waits there.
bool Run::makesWay(std::uintptr_t next) noexcept {
  if (!turnEnds(*executor_)) return false;
  // branches beside the one that this run is in are among those who wait
  if (gather_) gather_->share();
  next_ = next | madeWay;
  if (executor_->post(*this)) return true;
  next_ = 0;
  stopSoon();
  return false;
}

bool Run::countStep() noexcept {
  std::uint32_t& left = threadState.ready.stepsLeft;
  if (left == 0) return false;
  --left;
  return true;
}

namespace {

/// A step of a block that waits for its turn.
class LaterStep final : public ProgramNode {
 public:
  LaterStep(const void* self, void (*take)(const void* self, Run& run)) noexcept : self_(self), take_(take) {}

  void step(Run& run, bool) const override {
    const void* const self = self_;
    const auto take = take_;
    release();
    take(self, run);
  }

 private:
  const void* const self_;
  void (*const take_)(const void* self, Run& run);
};

/// A stop that was requested before it began.
class StoppedEnvironment final : public StopState, public Environment {
 public:
  explicit StoppedEnvironment(const Environment* parent) noexcept
      : Environment(parent, static_cast<StopState&>(*this)) {
    request();
  }
};

/// Where a run works that is masked though its executor has refused it: at the end of each turn it is refused
/// again.
class RefusedExecutor final : public Executor {
 public:
  bool post(Task&) noexcept override { return false; }
  bool isHere() const noexcept override { return true; }
};

constinit RefusedExecutor refusedExecutor;

}  // namespace

void Run::takeStepLater(const void* self, void (*step)(const void* self, Run& run)) {
  next(new LaterStep(self, step), true);
}

/// The executor has refused the run in the middle of its work, where it may have in hand what must be
/// released. So it goes on, here, to where it looks at requests to stop next; under a mask, until that ends.
void Run::stopSoon() noexcept {
  if (&stopState() == &StopState::never()) return moveTo(refusedExecutor);
  constexpr auto stopped = [](const void*, Run& run) {
    if (run.stopRequested() || !run.stopErrors().empty()) return;
    run.stop(Errors(std::make_exception_ptr(ExecutorStopped())));
  };
  stayHere();
  push({nullptr, nullptr, stopped, nullptr});
  enter(makeRef<const StoppedEnvironment>(environment_));
}

void Run::moveAway(Executor& core) noexcept {
  if (executor_ == &core) return;
  // a branch comes back to where its parent was
  if (gather_) gather_->keepHome();
  core.hold();
  if (holds_) executor_->letGo();
  executor_ = &core;
  holds_ = true;
}

void Run::enter(const Environment* environment, const Node* owned) {
  constexpr auto leave = [](const void* outer, Run& run) {
    run.environment_ = static_cast<const Environment*>(outer);
  };
  push({environment_, leave, leave, owned});
  environment_ = environment;
}

void Run::resumeHere() noexcept { drive(*this); }

void Run::resume() noexcept {
  if (executor_->isHere()) return executor_->executeHere(*this);
  if (environment_->hasSlots()) noteWait({"its executor"});
  if (!executor_->post(*this)) refuse();
}

void Run::refuse() noexcept {
  if (next_ & madeWay) {
    stopSoon();
    return resumeHere();
  }
  // a run that was refused before its first step
  if (const auto next = std::exchange(next_, 0); next & isOwned)
    reinterpret_cast<const ProgramNode*>(next & ~isOwned)->release();
  stayHere();
  // one that is stopping already has its reason
  if (!stopping_) stop(Errors(std::make_exception_ptr(ExecutorStopped())));
  resumeHere();
}

}  // namespace tapestry::detail

namespace tapestry {

namespace {

class InlinedExecutor final : public Executor {
 public:
  InlinedExecutor() noexcept : Executor(0) {}

  bool post(detail::Task& task) noexcept override {
    detail::drive(task);
    return true;
  }
  bool isHere() const noexcept override { return true; }
};

}  // namespace

void Executor::executeHere(detail::Task& task) noexcept { detail::drive(task); }

Executor& Executor::inlined() noexcept {
  static InlinedExecutor executor;
  return executor;
}

}  // namespace tapestry
