#include "mpi/engine.hpp"

#include <algorithm>
#include <thread>

#include "mpi/group.hpp"

namespace tapestry::detail {

void MpiEngine::add(std::shared_ptr<MpiOperation> operation, const RunPlace& where) {
  {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(operation));
    if (state_ == State::posted) return;
    if (state_ == State::timed && !place_.clock->cancel(*this)) return;  // about to expire
    if (state_ == State::idle) {
      self_ = shared_from_this();
      place_ = where;
      if (options.executor) place_.executor = HeldExecutor(*options.executor);
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
  std::vector<std::shared_ptr<MpiGroup>> all;
  for (const auto& group : groups_)
    if (auto kept = group.lock()) all.push_back(std::move(kept));
  return all;
}

void MpiEngine::keepForEver(std::shared_ptr<const void> operation) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(operation));
}

void MpiEngine::execute() noexcept { test(); }

void MpiEngine::refuse() noexcept {
  place_.executor = HeldExecutor();
  wait();
}

void MpiEngine::expired() noexcept {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::posted;
  }
  if (place_.executor.takesTasks()) return post();
  test();
}

void MpiEngine::post() noexcept {
  if (place_.executor.takesTasks() && place_.executor->post(*this)) return;
  if (place_.executor.takesTasks()) place_.executor = HeldExecutor();  // it was stopped
  wait();
}

void MpiEngine::wait() noexcept {
  const auto interval = interval_;
  interval_ = std::min<Clock::Duration>(2 * interval_, lastInterval);
  const std::lock_guard lock(mutex_);  // add() may cancel the timer
  state_ = State::timed;
  place_.clock->start(*this, place_.clock->now() + interval);
}

bool MpiEngine::testAll(bool watches) noexcept {
  const auto before = active_.size();
  std::erase_if(active_, [](const auto& operation) { return operation->poll(); });
  if (watches) {
    MpiGroup* last = nullptr;
    for (const auto& operation : active_) {
      MpiGroup* const group = operation->awaits();
      if (group && group != last) group->watch(place_.clock->now());
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

void MpiEngine::test() noexcept {
  const auto begin = Steady::now();
  auto now = begin;
  // a run that has got on may be executed by this thread
  while (!testOnce(now) && now < busyUntil_ && now < begin + turn) {
    std::this_thread::yield();  // where there are more ranks than processors
    now = Steady::now();
  }
  std::shared_ptr<MpiEngine> self;  // destroyed last
  RunPlace left;
  {
    const std::lock_guard lock(mutex_);
    if (active_.empty() && incoming_.empty()) {
      state_ = State::idle;
      self = std::move(self_);
      left = std::move(place_);
      return;
    }
  }
  now < busyUntil_ ? post() : wait();
}

}  // namespace tapestry::detail
