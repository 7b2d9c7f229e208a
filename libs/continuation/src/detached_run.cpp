#include "tapestry/continuation/detail/detached_run.hpp"

#include "tapestry/continuation/detail/ready.hpp"
#include "tapestry/continuation/unit.hpp"

namespace tapestry::detail {

namespace {

Executor* lastingWorkers(const Run& starter) noexcept {
  Executor* const workers = starter.environment()->workers();
  return workers ? &workers->lasting() : nullptr;
}

}  // namespace

DetachedRun::DetachedRun(const Run& starter) noexcept
    : executor_(starter.executor().keptExecutor()),
      slotsKeeper_(keeperOf(starter.environment()->slots())),
      outer_(Ref<const DetachedRun>::share(starter.environment()->detached())),
      environment_(lastingWorkers(starter), *this, starter.environment()->slots(), *this) {
  RunGroup* group = executor_.executor->runs();
  if (Executor* const workers = environment_.workers(); !group && workers) group = workers->runs();
  if (group) member_ = makeRef<GroupMember>(*group, StopToken());
  if (starter.stopState().watched()) watch();
}

void DetachedRun::start(const Frame& frame, const ProgramNode& program) noexcept {
  retain();
  if (member_) linkTo(*member_);
  run_.begin(environment_, *executor_.executor);
  run_.push(frame);
  run_.next(&program, false);
  if (threadState.startsInPlace) return pushBranch(run_);
  threadState.startsInPlace = true;
  run_.execute();
  threadState.startsInPlace = false;
}

bool DetachedRun::contains(const Environment& environment) const noexcept {
  const DetachedRun* at = environment.detached();
  while (at && at != this) at = at->outer_.get();
  return at;
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
  release();
}

}  // namespace tapestry::detail
