// Defines LocalGroup, the ranks of one communicator in one process, and LocalRank.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "local/collective.hpp"
#include "local/mailbox.hpp"
#include "tapestry/distributed/local_communicator.hpp"

namespace tapestry::detail {

class LocalGroup final : public std::enable_shared_from_this<LocalGroup> {
 public:
  LocalGroup(std::size_t size, std::shared_ptr<const LocalOptions> groupOptions);

  /// The rank's next collective, which the rank has arrived at.
  std::shared_ptr<LocalCollective> arrive(std::size_t rank, LocalArrival arrival, Clock& clock);
  /// The rank has no communicator any more.
  void leave(std::size_t rank) noexcept;
  /// The time limit of the collective is over.
  void overdue(LocalCollective& collective) noexcept;

  LocalMailbox& mailbox(std::size_t rank) noexcept { return *mailboxes_[rank]; }
  std::size_t size() const noexcept { return next_.size(); }

  const std::shared_ptr<const LocalOptions> options;

 private:
  using Open = std::deque<std::shared_ptr<LocalCollective>>;
  /// All later collectives fail; returns the open ones, which the caller fails. Precondition: locked.
  Open breakBy(Failure failure);
  static Failure leftBy(std::size_t rank, const LocalCollective& collective);
  static void failAll(const Open& open, const Failure& failure);
  LocalCollective& openAt(std::uint64_t number);

  std::mutex mutex_;                 ///< guards the members below but the mailboxes
  std::vector<std::uint64_t> next_;  ///< by rank, the number of its next collective
  std::vector<bool> left_;
  Open open_;                    ///< of consecutive numbers; null where one has ended before an earlier one
  std::uint64_t firstOpen_ = 0;  ///< the number of the first
  std::optional<Failure> broken_;
  std::vector<std::unique_ptr<LocalMailbox>> mailboxes_;
};

/// A rank, which the copies of its communicator share.
class LocalRank final {
 public:
  LocalRank(std::shared_ptr<LocalGroup> rankGroup, std::size_t number)
      : group(std::move(rankGroup)), rank(number) {}
  LocalRank(const LocalRank&) = delete;
  LocalRank& operator=(const LocalRank&) = delete;
  ~LocalRank() { group->leave(rank); }

  static LocalCommunicator communicatorOf(std::shared_ptr<LocalRank> rank) {
    return LocalCommunicator(std::move(rank));
  }

  const std::shared_ptr<LocalGroup> group;
  const std::size_t rank;
};

/// The ranks of a new group.
std::vector<std::shared_ptr<LocalRank>> makeLocalRanks(std::size_t size,
                                                       const std::shared_ptr<const LocalOptions>& options);

}  // namespace tapestry::detail
