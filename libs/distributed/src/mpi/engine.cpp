#include "mpi/engine.hpp"

#include <algorithm>

#include "mpi/group.hpp"
#include "tapestry/continuation/extend/spin_wait.hpp"

namespace tapestry::detail {

void MpiEngine::add(std::shared_ptr<MpiOperation> operation, const HeldExecutor& executor) {
  {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(
        {std::move(operation), options.executor ? HeldExecutor(*options.executor) : executor});
    if (state_ == State::posted) return;
    if (state_ == State::timed && !Clock::system().cancel(*this)) return;  // about to expire
    if (state_ == State::idle) {
      self_ = shared_from_this();
      executor_ = incoming_.back().executor;
    }
    state_ = State::posted;
  }
  busyUntil_ = Steady::now() + busyTime;
  interval_ = firstInterval;
  post();
}

void MpiEngine::addGroup(const std::shared_ptr<MpiGroup>& group) {
  const std::lock_guard lock(mutex_);
  groups_.push_back(group);
}

std::vector<std::shared_ptr<MpiGroup>> MpiEngine::groups() {
  const std::lock_guard lock(mutex_);
  return groups_;
}

void MpiEngine::dropGroups() {
  std::vector<std::shared_ptr<MpiGroup>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(groups_);
}

void MpiEngine::keepForEver(std::shared_ptr<const void> operation) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(operation));
}

void MpiEngine::refuse() noexcept {
  executor_ = HeldExecutor();
  wait();
}

void MpiEngine::expired() noexcept {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::posted;
  }
  if (executor_.takesTasks()) return post();
  execute();
}

void MpiEngine::post() noexcept {
  if (executor_.takesTasks() && executor_->post(*this)) return;
  if (executor_.takesTasks()) executor_ = HeldExecutor();  // it was stopped
  wait();
}

void MpiEngine::wait() noexcept {
  const auto interval = interval_;
  interval_ = std::min<Clock::Duration>(2 * interval_, lastInterval);
  const std::lock_guard lock(mutex_);  // add() may cancel the timer
  state_ = State::timed;
  Clock::system().start(*this, Clock::system().now() + interval);
}

bool MpiEngine::testAll(bool watches) noexcept {
  const auto before = active_.size();
  std::erase_if(active_, [](const Tested& each) { return each.operation->poll(); });
  if (watches) {
    MpiGroup* last = nullptr;
    for (const Tested& each : active_) {
      MpiGroup* const group = each.operation->awaits();
      if (group && group != last) group->watch(Clock::system().now());
      last = group;
    }
  }
  return active_.size() < before;
}

bool MpiEngine::testOnce(Steady::time_point now) noexcept {
  {
    const std::lock_guard lock(mutex_);
    std::move(incoming_.begin(), incoming_.end(), std::back_inserter(active_));
    incoming_.clear();
  }
  const bool watches = now >= busyUntil_ || --untilWatch_ <= 0;
  if (watches) untilWatch_ = testsBetweenWatches;
  if (!testAll(watches)) return false;
  busyUntil_ = now + busyTime;
  interval_ = firstInterval;
  return true;
}

void MpiEngine::execute() noexcept {
  const auto begin = Steady::now();
  auto now = begin;
  // a run that has got on may be executed by this thread
  for (extend::SpinWait wait; !testOnce(now) && now < busyUntil_ && now < begin + turn;)
    now = begin + wait.pause();
  std::shared_ptr<MpiEngine> self;  // destroyed last
  HeldExecutor left;
  {
    const std::lock_guard lock(mutex_);
    if (active_.empty() && incoming_.empty()) {
      state_ = State::idle;
      self = std::move(self_);
      left = std::move(executor_);
      return;
    }
    left = std::exchange(executor_, (active_.empty() ? incoming_ : active_).back().executor);
  }
  now < busyUntil_ ? post() : wait();
}

}  // namespace tapestry::detail
