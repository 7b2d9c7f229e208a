// Defines LocalCommunicator, a communicator among ranks in one process, and localCommunicators, which makes
// it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "tapestry/distributed/communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class LocalRank;

}  // namespace detail

/// What the ranks of one process are made with.
struct LocalOptions {
  /// The time that a collective waits for the other ranks, by the clock of the run that has come first. A
  /// limit of 0 or less means that all ranks come at the same time of the clock.
  Clock::Duration timeLimit = std::chrono::seconds(60);
  /// The time that a collective takes from the arrival of its last rank on, by that rank's clock, as if a
  /// network carried the bytes; its argument is the number of bytes of the rank that gives the most. Called
  /// on any rank's thread, must not throw; empty for no delay. Collectives do not delay each other.
  std::function<Clock::Duration(std::size_t bytes)> delay = {};
};

/// A rank among ranks in one process, for one program on several executors, and for tests, also on a
/// testing::Scheduler. Sums are added up in the order of ranks. Ranks that run different collectives, or
/// allReduce of different sizes, all fail with std::invalid_argument, and the communicator remains usable.
/// When the last copy of a rank's communicator is destroyed, the rank has left: the other ranks' collectives
/// that it has not begun, and their waits for its messages, fail with RankError. No thread waits.
class LocalCommunicator {
 public:
  std::size_t rank() const noexcept;
  std::size_t size() const noexcept;
  /// The time that a collective waits for the other ranks.
  Clock::Duration timeLimit() const noexcept;

  /// See Communicator for the programs.
  Do<void> allReduce(ReducedElements values, ReduceOp op = ReduceOp::sum,
                     std::shared_ptr<const void> owner = nullptr) const;
  Do<Bytes> broadcast(Bytes bytes, std::size_t root = 0) const;
  Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root = 0) const;
  Do<std::vector<Bytes>> allGather(Bytes bytes) const;
  Do<void> barrier() const;
  Do<LocalCommunicator> split(std::size_t color) const;
  /// Completes at once.
  Do<void> send(Bytes bytes, std::size_t to, int tag) const;
  Do<Message> receive(std::optional<std::size_t> from, int tag) const;

 private:
  friend class detail::LocalRank;
  explicit LocalCommunicator(std::shared_ptr<detail::LocalRank> rank) noexcept : rank_(std::move(rank)) {}

  std::shared_ptr<detail::LocalRank> rank_;
};

static_assert(Communicator<LocalCommunicator>);

/// The communicators of `size` ranks, in order of rank. Throws std::invalid_argument for no ranks.
[[nodiscard]] std::vector<LocalCommunicator> localCommunicators(std::size_t size, LocalOptions options = {});

}  // namespace tapestry
#pragma GCC visibility pop
