// Defines MpiCommunicator, a communicator among the processes of an MPI program.
#pragma once

#include <memory>

#include "tapestry/distributed/communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class MpiWorld;

namespace detail {

class MpiGroup;

}  // namespace detail

/// A rank among processes that mpirun has started; MpiWorld makes it. Collectives are non-blocking operations
/// of MPI. A run that waits is resumed by a task that tests all operations of the process: it first posts
/// itself again and again to the executor of the run, then waits between tests on the system clock, for 200
/// us at most. No thread waits in MPI, except in `split` where MPI lacks MPI_THREAD_MULTIPLE.
///
/// When a collective has reached its time limit, on the system clock, the waiting ranks tell each other that
/// they wait. A rank that is not heard from within the grace period (MpiOptions) is at fault. The operations
/// that were given up keep their memory. See MpiWorld for the end of such a program.
///
/// `split` waits until all ranks have come, and then calls MPI_Comm_split on a separate thread or, without
/// MPI_THREAD_MULTIPLE, on the testing thread, so that all ranks must then split several communicators in the
/// same order. Its communicators are freed with the MpiWorld. `send` copies the bytes, and completes at once;
/// a message that is not received within the time limit may be lost. A message, and the bytes that `gather`
/// collects, must not exceed 2^31 - 1 bytes.
class MpiCommunicator {
 public:
  std::size_t rank() const noexcept;
  std::size_t size() const noexcept;
  /// The time that a collective waits for the other ranks.
  Clock::Duration timeLimit() const noexcept;

  /// See Communicator for the programs. They fail with std::logic_error when the MpiWorld is destroyed, with
  /// std::runtime_error if MPI reports an error.
  Do<void> allReduce(ReducedElements values, ReduceOp op = ReduceOp::sum,
                     std::shared_ptr<const void> owner = nullptr) const;
  Do<Bytes> broadcast(Bytes bytes, std::size_t root = 0) const;
  Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root = 0) const;
  Do<std::vector<Bytes>> allGather(Bytes bytes) const;
  Do<void> barrier() const;
  Do<MpiCommunicator> split(std::size_t color) const;
  Do<void> send(Bytes bytes, std::size_t to, int tag) const;
  Do<Message> receive(std::optional<std::size_t> from, int tag) const;

 private:
  friend class MpiWorld;
  explicit MpiCommunicator(std::shared_ptr<detail::MpiGroup> group) noexcept : group_(std::move(group)) {}

  std::shared_ptr<detail::MpiGroup> group_;
};

static_assert(Communicator<MpiCommunicator>);

}  // namespace tapestry
#pragma GCC visibility pop
