#include "tapestry/continuation/parallel/detail/run_group.hpp"

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/parallel/detail/group_member.hpp"

namespace tapestry::detail {

void RunGroup::enter() noexcept {
  const std::lock_guard lock(mutex_);
  ++members_;
}

void RunGroup::leave() noexcept {
  const std::lock_guard lock(mutex_);
  // under the lock: the waiting thread destroys this object as soon as no member is left
  if (--members_ == 0) empty_.notify_all();
}

void RunGroup::stopAndWait() noexcept {
  {
    // this thread, which may be in a step of a run, waits below for the runs that the request resumes on it:
    // they continue at once, not after the step
    const Interlude interlude(false);
    stop_->request();
  }
  std::unique_lock lock(mutex_);
  empty_.wait(lock, [this] { return members_ == 0; });
}

GroupMember::GroupMember(RunGroup& group, StopToken token) noexcept
    : token_(std::move(token)), group_(group) {
  group_.enter();
  linkTo(token_.state());
  if (!group_.stop_->add(listener_)) request();
}

GroupMember::~GroupMember() {
  if (left_) return;
  unlinkAll();
  leave();
}

void GroupMember::leave() noexcept {
  left_ = true;
  group_.leave();
}

void GroupMember::unlinkAll() noexcept {
  unlink();
  group_.stop_->remove(listener_);
}

}  // namespace tapestry::detail
