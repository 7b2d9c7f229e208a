#include "tapestry/continuation/detail/engine/detached_run.hpp"

#include <utility>

#include "tapestry/continuation/detail/engine/ready.hpp"

namespace tapestry::detail {

namespace {

ExecutorHold lastingWorkers(const Run& starter) noexcept {
  Executor* const workers = starter.environment()->workers();
  return workers ? holdOf(workers->lasting()) : nullptr;
}

constexpr char detachedKey = 0;
constexpr const char* detachedName = "run of its own";

/// The innermost detached run that the environment is part of, or null.
const DetachedRun* detachedOf(const Environment& environment) noexcept {
  const SlotLink* at = environment.slots();
  while (at && at->key != &detachedKey) at = at->outer;
  return at ? static_cast<const DetachedRun*>(at->keeper) : nullptr;
}

/// The chain without the starter's own mark: a run that starts its successor is not kept by it.
const SlotLink* withoutMark(const SlotLink* slots) noexcept {
  return slots && slots->key == &detachedKey ? slots->outer : slots;
}

}  // namespace

DetachedRun::DetachedRun(const Run& starter, Ref<const DetachedRun> waiting) noexcept
    : executor_(holdOf(starter.executor().guests())),
      workers_(lastingWorkers(starter)),
      slotsKeeper_(keeperOf(withoutMark(starter.environment()->slots()))),
      waiting_(std::move(waiting)),
      link_(&detachedKey, withoutMark(starter.environment()->slots()), *this, false),
      environment_(workers_.get(), *this, &link_) {
  RunGroup* group = executor_.get()->runs();
  if (Executor* const workers = workers_.get(); !group && workers) group = workers->runs();
  if (group) member_ = makeRef<GroupMember>(*group, StopToken());
  if (starter.stopState().watched()) watch();
}

// inlined, since it is most of the work of starting a short run
[[gnu::always_inline]] inline void DetachedRun::prepare(Frame&& frame) noexcept {
  retain();
  if (member_) linkTo(*member_);
  run_.begin(environment_, *executor_.get());
  run_.push(std::move(frame));
}

void DetachedRun::start(Frame frame, const ProgramNode& program) noexcept {
  prepare(std::move(frame));
  if (link_.outer) observeBranch(run_);  // only an outer slot can hold a name
  enterTracked(run_, detachedName, {});
  run_.next(program);
  if (threadState.startsInPlace) return pushBranch(run_);
  threadState.startsInPlace = true;
  run_.execute();
  threadState.startsInPlace = false;
}

void DetachedRun::startBeside(Frame frame, const ProgramNode& program, const Location& location) noexcept {
  prepare(std::move(frame));
  if (environment_.find<NameSlot>() || tracksRuns())
    run_.next(enteringFirst(Ref<const ProgramNode>::share(&program), detachedName, location));
  else
    run_.next(program);
  if (!workers_.get()) return pushWoken(run_);
  if (!executor_.get()->post(run_)) run_.refuse();
}

bool DetachedRun::contains(const Environment& environment) const noexcept {
  const DetachedRun* at = detachedOf(environment);
  while (at && at != this) at = at->waiting_.get();
  return at;
}

Ref<const DetachedRun> DetachedRun::enclosing(const Environment& environment) noexcept {
  return Ref<const DetachedRun>::share(detachedOf(environment));
}

void DetachedRun::ended() noexcept {
  if (run_.stopping())
    run_.takeStop();
  else
    run_.take<Unit>();
  unlink();
  if (const auto member = std::move(member_)) {
    member->unlinkAll();
    member->leave();
  }
  // other owners may keep this object, which is no longer work of its executor
  const ExecutorHold movedTo = run_.takeHold();
  const ExecutorHold executor = std::move(executor_);
  const ExecutorHold workers = std::move(workers_);
  release();
}

}  // namespace tapestry::detail
