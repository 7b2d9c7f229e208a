// Defines MpiEngine, the task that tests all operations of MPI that a process waits for, and MpiOperation.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "current_place.hpp"
#include "mpi/mpi_library.hpp"
#include "pending.hpp"
#include "tapestry/continuation/extend/task.hpp"
#include "tapestry/continuation/extend/timer.hpp"
#include "tapestry/distributed/mpi/mpi_world.hpp"

namespace tapestry::detail {

class MpiGroup;

/// An operation of MPI that a run may wait for.
class MpiOperation : public Pending {
 public:
  /// Tests the operation, and finishes it when it has ended; returns whether it needs no more tests. Called
  /// on one thread at a time.
  virtual bool poll() = 0;
  /// The communicator whose ranks this operation waits for, or null.
  virtual MpiGroup* awaits() noexcept { return nullptr; }
};

/// Tests are made by one thread at a time: by `execute`, on the executor of a run, or by `expired`, on the
/// clock's thread, if no executor takes tasks.
class MpiEngine final : public extend::Task,
                        public extend::Timer,
                        public std::enable_shared_from_this<MpiEngine> {
 public:
  MpiEngine(MpiThreads givenThreads, const MpiOptions& itsOptions)
      : options(itsOptions), threads(givenThreads) {}

  /// Tests the operation until its poll() returns true.
  void add(std::shared_ptr<MpiOperation> operation, const HeldExecutor& executor);

  /// To be held during each call of MPI; empty where several threads may call it at once.
  std::unique_lock<std::mutex> lockMpi() {
    return threads == MpiThreads::multiple ? std::unique_lock<std::mutex>() : std::unique_lock(mpi_);
  }

  void addGroup(const std::shared_ptr<MpiGroup>& group);
  /// The groups hold the engine.
  void dropGroups();
  std::vector<std::shared_ptr<MpiGroup>> groups();
  /// Whether nothing is tested, or about to be.
  bool isIdle() {
    const std::lock_guard lock(mutex_);
    return state_ == State::idle;
  }
  /// Keeps an operation that MPI may still work on.
  void keepForEver(std::shared_ptr<const void> operation);

  /// Tests all operations; afterwards is idle, posted or waits for the clock. Precondition: posted.
  void execute() noexcept override;
  void refuse() noexcept override;

  const MpiOptions options;
  const MpiThreads threads;
  std::atomic<bool> isFinalized = false;
  std::atomic<bool> isBroken = false;  ///< MPI_Finalize could wait for ever

 private:
  enum class State { idle, posted, timed };
  struct Tested {
    std::shared_ptr<MpiOperation> operation;
    HeldExecutor executor;  ///< of its run
  };
  using Steady = std::chrono::steady_clock;
  /// The time for which tests are posted one after the other after the last progress. Large operations get on
  /// only within tests.
  static constexpr auto busyTime = std::chrono::milliseconds(5);
  /// The time after which the tests make way for other tasks of the executor.
  static constexpr auto turn = std::chrono::microseconds(50);
  /// The tests between two looks for time limits and notices while there is progress.
  static constexpr int testsBetweenWatches = 10'000;
  static constexpr auto firstInterval = std::chrono::microseconds(20);
  static constexpr auto lastInterval = std::chrono::microseconds(200);

  void expired() noexcept override;
  /// Tests all operations once. Whether any operation has ended.
  bool testOnce(Steady::time_point now) noexcept;
  bool testAll(bool watches) noexcept;
  void post() noexcept;
  void wait() noexcept;

  std::mutex mpi_;
  std::mutex mutex_;  ///< guards the next members up to the groups
  State state_ = State::idle;
  std::vector<Tested> incoming_;
  std::shared_ptr<MpiEngine> self_;                ///< unless idle
  HeldExecutor executor_;                          ///< of a run that waits
  std::vector<std::shared_ptr<MpiGroup>> groups_;  ///< until MPI is finalised, as are their communicators
  std::vector<std::shared_ptr<const void>> kept_;

  std::vector<Tested> active_;  ///< of the testing thread, like the next
  Steady::time_point busyUntil_;
  int untilWatch_ = testsBetweenWatches;
  Clock::Duration interval_ = firstInterval;
};

}  // namespace tapestry::detail
