#include "tapestry/continuation/detail/engine/run.hpp"

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"

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

namespace {

/// Counts the steps of a call of execute() in a register, since each instruction of the loop matters.
class StepCount {
 public:
  StepCount() noexcept : begin_(threadState.ready.stepsLeft), left_(begin_) {}
  StepCount(const StepCount&) = delete;
  StepCount& operator=(const StepCount&) = delete;
  /// Steps of blocks, and of runs within this one, that were counted meanwhile stay counted.
  ~StepCount() {
    auto& left = threadState.ready.stepsLeft;
    const std::uint32_t taken = begin_ - left_;
    left = left > taken ? left - taken : 1;
  }

  [[nodiscard]] bool isOver() noexcept { return --left_ == 0; }
  void beginTurn() noexcept { left_ = begin_ = threadState.ready.stepsLeft; }

 private:
  std::uint32_t begin_;
  std::uint32_t left_;
};

}  // namespace

// inlined, since each instruction of a short run matters
[[gnu::always_inline]] inline bool Run::executeToEnd() noexcept {
  StepCount steps;
  for (;;) {
    if (const auto next = std::exchange(next_, 0)) {
      if (next & isParker) {
        if (gather_) gather_->share();
        if (!reinterpret_cast<Parker*>(next & ~isParker)->park(*this)) return false;
      } else {
        if (steps.isOver()) [[unlikely]] {
          const bool posted = makesWay(next);
          steps.beginTurn();
          if (posted) return false;
        }
        const auto* program = reinterpret_cast<const ProgramNode*>(next & ~marks);
        program->step(*this, {next & isOwned ? program : nullptr});
      }
    } else if (frames_.empty()) {
      return true;
    } else if (frames_.onlyKeeps()) {
      frames_.popKeeper().release();
    } else if (!stopping_) [[likely]] {
      const Frame frame = frames_.pop();
      if (frame.resume) frame.resume(frame.self, *this);
    } else {
      const Frame frame = frames_.pop();
      if (frame.unwind) frame.unwind(frame.self, *this);
    }
  }
}

// aligned, since the time of the loop otherwise depends on the code before it: 7.4 or 8.2 ns a step
[[gnu::aligned(64)]] void Run::execute() noexcept {
  if (executeToEnd()) ended();
}

void Run::moveAway(Executor& core) noexcept {
  if (executor_ == &core) return;
  // after a branch the parent returns to its executor
  if (gather_) gather_->keepHome();
  std::swap(executor_, other_);
  std::swap(holds_, holdsOther_);
  if (executor_ != &core) {
    core.hold();
    if (holds_) executor_->letGo();
    executor_ = &core;
    holds_ = true;
  }
  // the hold of an executor that is no work is kept: a run that moves to and fro pays once
  if (holdsOther_ && other_->worksWhileHeld()) dropOther();
}

void Run::enter(const Environment& environment, Keeper keeper) {
  constexpr auto leave = [](const Environment& outer, Run& run) { run.environment_ = &outer; };
  push<leave, leave>(environment_, std::move(keeper));
  environment_ = &environment;
}

void Run::resumeHere() noexcept { drive(*this); }

void Run::resume() noexcept {
  if (executor_->isHere()) return executor_->executeHere(*this);
  if (environment_->hasSlots()) noteWait({"its executor"});
  if (!executor_->post(*this)) refuse();
}

void Run::refuse() noexcept {
  if (next_ & madeWay)
    stopSoon();
  else
    stopRefused();
  resumeHere();
}

void Run::stopRefused() noexcept {
  // the request of a run that was refused before its first step, or before it has arrived after a shift
  if (const auto next = std::exchange(next_, 0); next & isOwned)
    reinterpret_cast<const ProgramNode*>(next & ~isOwned)->release();
  stayHere();
  // a stopping run already has its reason
  if (!stopping_) stop(Errors(std::make_exception_ptr(ExecutorStopped())));
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
