// Defines MpiWorld, the lifetime of MPI in a process, with MpiThreads and MpiOptions.
#pragma once

#include <chrono>
#include <memory>

#include "tapestry/distributed/mpi/mpi_communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class MpiEngine;

}  // namespace detail

/// The threads that may call MPI: the thread that has initialised it, one at a time, or any.
enum class MpiThreads { funneled, serialized, multiple };

struct MpiOptions {
  /// The highest level that is requested; MPI may provide a lower level.
  MpiThreads threads = MpiThreads::multiple;
  /// Tests the operations that wait, instead of the executors of their runs; outlives the MpiWorld. Required
  /// with MpiThreads::funneled: then it executes all calls of MPI, on the thread that makes the MpiWorld.
  Executor* executor = nullptr;
  /// The time that a collective waits for the other ranks.
  Clock::Duration timeLimit = std::chrono::seconds(60);
  /// The grace period: the time in which a waiting rank must then report that it waits.
  Clock::Duration grace = std::chrono::seconds(2);
  /// Whether ranks compare their collectives before each, and all fail with std::invalid_argument if they
  /// differ, at the cost of one more collective. Without this, ranks that differ reach the time limit.
  bool compareCalls = false;
};

/// Initialises MPI, and finalises it when it is destroyed, on the same thread. At most one per process. A
/// process that mpirun has not started is a world of one rank. No collective may wait when it is destroyed.
///
/// The destructor waits for the other ranks' destructors; it tests, and does not wait in MPI. It notifies
/// ranks that wait for a collective of this rank; these ranks fail with RankError. When any communicator of
/// the process has failed with a RankError, or a message is not received, the destructor neither waits nor
/// calls MPI_Finalize, which could wait for ever for a rank that is dead: when the process ends, mpirun ends
/// the others, also those that hang, and reports that a process has ended without MPI_Finalize. A process
/// without mpirun simply ends.
class MpiWorld {
 public:
  /// Throws std::logic_error if MPI is or was initialised in this process, or gives only
  /// MpiThreads::funneled and the options have no executor, or if the mpirun of another MPI has started
  /// several processes, which MPI does not connect; std::runtime_error if MPI cannot be initialised.
  explicit MpiWorld(MpiOptions options = {});
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;
  ~MpiWorld();

  /// All ranks.
  MpiCommunicator communicator() const noexcept;
  /// What MPI gives.
  MpiThreads threads() const noexcept;

  /// The communicator of the MpiWorld of the process. Throws std::logic_error if no MpiWorld exists.
  static MpiCommunicator current();

 private:
  std::shared_ptr<detail::MpiEngine> engine_;
  std::shared_ptr<detail::MpiGroup> group_;
};

}  // namespace tapestry
#pragma GCC visibility pop
