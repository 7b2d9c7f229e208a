#include "mpi/group.hpp"

#include <algorithm>

namespace tapestry::detail {

namespace {

/// The tests that a run makes when it has begun a collective, before it waits: what is small and complete
/// costs no task.
constexpr int testsAtOnce = 20;

std::size_t rankIn(MPI_Comm comm) {
  int rank = 0;
  checkMpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return static_cast<std::size_t>(rank);
}
std::size_t sizeOf(MPI_Comm comm) {
  int size = 0;
  checkMpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return static_cast<std::size_t>(size);
}

}  // namespace

MpiGroup::MpiGroup(std::shared_ptr<MpiEngine> groupEngine, MPI_Comm groupComm)
    : engine(std::move(groupEngine)), comm(groupComm), rank(rankIn(comm)), size(sizeOf(comm)) {}

void MpiGroup::start(const std::shared_ptr<MpiCollective>& collective, const HeldExecutor& executor) {
  {
    std::unique_lock lock(mutex_);
    if (broken_) {
      const auto failure = broken_;
      lock.unlock();
      return collective->finish(failure);
    }
    collective->number = next_++;
    collective->deadline = extend::later(Clock::system().now(), engine->options.timeLimit);
    open_.push_back(collective);
    order_.push_back(collective);
  }
  for (int i = 0; i < testsAtOnce; ++i)
    if (poll(*collective)) return;
  engine->add(collective, executor);
}

bool MpiGroup::poll(MpiCollective& collective) {
  std::optional<Failure> failure;
  Open failed;
  {
    const std::lock_guard lock(mutex_);
    // a group that is broken finishes its collectives outside the lock
    if (collective.isDone() || broken_) return true;
    const auto mpi = engine->lockMpi();
    try {
      if (!collective.hasBegun() && order_.front().get() != &collective) return false;
      if (!collective.step()) {
        beginNext();
        return false;
      }
      beginNext();
      std::erase_if(open_, [&](const auto& each) { return each.get() == &collective; });
      if (open_.empty() || (alarm_ && open_.front()->number > alarm_->number)) alarm_.reset();
      failure = collective.failure;
    } catch (const std::exception& error) {
      failure = Failure{Failure::Kind::system, error.what()};
      failed = breakBy(*failure);
    }
  }
  for (const auto& each : failed) each->finish(failure);
  collective.finish(failure);
  return true;
}

void MpiGroup::beginNext() {
  while (!order_.empty() && order_.front()->allPosted()) {
    order_.pop_front();
    if (!order_.empty()) order_.front()->step();  // its own poll sees whether it has ended
  }
}

void MpiGroup::watch(Clock::TimePoint now) {
  std::optional<Failure> failure;
  Open failed;
  {
    const std::lock_guard lock(mutex_);
    if (broken_ || open_.empty()) return;
    const auto mpi = engine->lockMpi();
    try {
      failure = readNotices(now);
      for (const auto& [from, number] : leaving_)
        if (!failure && open_.back()->number >= number) failure = vanished(from);
      if (!failure && !alarm_ && now >= open_.front()->deadline) raiseAlarm(now);
      if (!failure && alarm_ && now >= alarm_->end) failure = verdict();
      if (!failure) return;
      if (failure->kind == Failure::Kind::rank) tellAll(Notice::broken, 0, failure->ranks);
    } catch (const std::exception& error) {
      failure = Failure{Failure::Kind::system, error.what()};
    }
    failed = breakBy(*failure);
  }
  for (const auto& each : failed) each->finish(failure);
}

MpiGroup::Open MpiGroup::breakBy(const Failure& failure) {
  broken_ = failure;
  engine->isBroken = true;
  for (const auto& each : open_)
    if (each->hasBegun()) engine->keepForEver(each);
  order_.clear();
  return std::exchange(open_, {});
}

std::optional<Failure> MpiGroup::failed() {
  const std::lock_guard lock(mutex_);
  if (broken_) return broken_;
  const auto mpi = engine->lockMpi();
  return readNotices(Clock::system().now());
}

}  // namespace tapestry::detail
