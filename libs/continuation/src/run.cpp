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
        reinterpret_cast<const ProgramNode*>(next & ~isOwned)->step(*this, next & isOwned);
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
