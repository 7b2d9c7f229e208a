#include "tapestry/continuation/detail/run.hpp"

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

void pushWoken(Task& task) noexcept {
  auto& ready = threadState.ready;
  task.nextTask = nullptr;
  (ready.wokenHead ? ready.wokenTail->nextTask : ready.wokenHead) = &task;
  ready.wokenTail = &task;
}

Task* popReady() noexcept {
  auto& ready = threadState.ready;
  Task*& list = ready.wokenHead ? ready.wokenHead : ready.branches;
  Task* task = list;
  if (task) list = task->nextTask;
  return task;
}

void drive(Task& task) noexcept {
  if (threadState.ready.driving) return pushWoken(task);
  const DriveScope scope;
  task.execute();
}

void Run::execute() noexcept {
  if (environment_->hasSlots()) leaveWait();
  for (;;) {
    if (next_) {
      std::exchange(next_, nullptr)->step(*this, nextOwned_);
    } else if (parker_) {
      if (!std::exchange(parker_, nullptr)->park(*this)) return;
      if (environment_->hasSlots()) leaveWait();
    } else if (!frames_.empty()) {
      const Frame frame = frames_.pop();
      if (stopping_) {
        if (frame.unwind) frame.unwind(frame.self, *this);
      } else if (frame.resume) {
        frame.resume(frame.self, *this);
      }
      if (frame.owned) frame.owned->release();
    } else {
      return receiver_->receive(*this);
    }
  }
}

void Run::enter(Ref<const Environment> environment) {
  constexpr auto leave = [](const void* self, Run& run) {
    auto left = Ref<const Environment>::share(static_cast<const Environment*>(self));
    Executor& executor = run.environment_->executor();
    if (&left->executor() != &executor) left = makeRef<const Environment>(left, executor);
    run.environment_ = std::move(left);
  };
  const Environment* outer = environment_.detach();
  environment_ = std::move(environment);
  push({outer, leave, leave, outer});
}

void Run::resumeHere() noexcept { drive(*this); }

void Run::stayHere() noexcept { replace(makeRef<const Environment>(environment_, Executor::inlined())); }

void Run::resume() noexcept {
  Executor& executor = environment_->executor();
  if (executor.isHere()) return resumeHere();
  if (environment_->hasSlots()) enterWait({"its executor"});
  if (!executor.post(*this)) refuse();
}

void Run::refuse() noexcept {
  // a run that was refused before its first step
  if (next_ && nextOwned_) next_->release();
  next_ = nullptr;
  stayHere();
  stop(Errors(std::make_exception_ptr(ExecutorStopped())));
  resumeHere();
}

}  // namespace tapestry::detail

namespace tapestry {

namespace {

class InlinedExecutor final : public Executor {
 public:
  bool post(detail::Task& task) noexcept override {
    detail::drive(task);
    return true;
  }
  bool isHere() const noexcept override { return true; }
};

}  // namespace

Executor& Executor::inlined() noexcept {
  static InlinedExecutor executor;
  return executor;
}

}  // namespace tapestry
