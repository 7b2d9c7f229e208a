#include "local/group.hpp"

#include <algorithm>

namespace tapestry::detail {

namespace {

/// The call of a rank that has come.
const CollectiveCall& someCall(const LocalCollective& collective) {
  const auto come = [](const auto& arrival) { return arrival.has_value(); };
  return (*std::find_if(collective.arrivals.begin(), collective.arrivals.end(), come))->call;
}

}  // namespace

LocalGroup::LocalGroup(std::size_t size, std::shared_ptr<const LocalOptions> groupOptions)
    : options(std::move(groupOptions)), next_(size, 0), left_(size, false) {
  for (std::size_t rank = 0; rank < size; ++rank)
    mailboxes_.push_back(std::make_unique<LocalMailbox>(rank, size));
}

LocalCollective& LocalGroup::openAt(std::uint64_t number) {
  while (firstOpen_ + open_.size() <= number) {
    open_.push_back(std::make_shared<LocalCollective>(shared_from_this(), firstOpen_ + open_.size()));
  }
  return *open_[number - firstOpen_];
}

std::shared_ptr<LocalCollective> LocalGroup::arrive(std::size_t rank, LocalArrival arrival, Clock& clock) {
  std::shared_ptr<LocalCollective> collective;
  Open failed;
  std::optional<Failure> failure;
  {
    const std::lock_guard lock(mutex_);
    if (broken_) {
      collective = std::make_shared<LocalCollective>(shared_from_this(), next_[rank]);
      collective->finish(*broken_);
      return collective;
    }
    const std::uint64_t number = next_[rank]++;
    collective = openAt(number).shared_from_this();
    collective->arrivals[rank].emplace(std::move(arrival));
    ++collective->arrived;
    for (std::size_t other = 0; other < size() && !failure; ++other)
      if (left_[other] && next_[other] <= number) failure = leftBy(other, *collective);
    if (failure) {
      failed = breakBy(*failure);
    } else if (collective->arrived == size()) {
      open_[number - firstOpen_] = nullptr;
      while (!open_.empty() && !open_.front()) open_.pop_front(), ++firstOpen_;
    } else {
      if (collective->arrived == 1) collective->limit.start(clock, options->timeLimit, collective);
      return collective;
    }
  }
  if (failure)
    failAll(failed, *failure);
  else
    collective->complete(clock);
  return collective;
}

void LocalGroup::leave(std::size_t rank) noexcept {
  Open failed;
  std::optional<Failure> failure;
  {
    const std::lock_guard lock(mutex_);
    left_[rank] = true;
    for (const auto& collective : open_)
      if (collective && !collective->arrivals[rank] && !failure) failure = leftBy(rank, *collective);
    if (failure) failed = breakBy(*failure);
  }
  if (failure) failAll(failed, *failure);
  for (const auto& mailbox : mailboxes_) mailbox->leave(rank);
}

void LocalGroup::overdue(LocalCollective& collective) noexcept {
  Open failed;
  std::optional<Failure> failure;
  {
    const std::lock_guard lock(mutex_);
    // the last rank may have come, or the communicator may have broken, when the timer was about to expire
    if (broken_ || collective.arrived == size()) return;
    const auto missing = collective.missing();
    failure = Failure{Failure::Kind::rank,
                      "tapestry::Communicator: " + nameOfRanks(missing) + " did not come to " +
                          nameOf(someCall(collective)) + " within " + secondsOf(options->timeLimit) +
                          ", expected all " + std::to_string(size()) + " ranks",
                      missing};
    failed = breakBy(*failure);
  }
  failAll(failed, *failure);
}

Failure LocalGroup::leftBy(std::size_t rank, const LocalCollective& collective) {
  return {Failure::Kind::rank,
          "tapestry::Communicator: " + nameOfRanks({rank}) + " has left before " +
              nameOf(someCall(collective)) + ", expected all " + std::to_string(collective.arrivals.size()) +
              " ranks",
          {rank}};
}

LocalGroup::Open LocalGroup::breakBy(Failure failure) {
  broken_ = std::move(failure);
  return std::exchange(open_, {});
}

void LocalGroup::failAll(const Open& open, const Failure& failure) {
  for (const auto& collective : open)
    if (collective) collective->fail(failure);
}

std::vector<std::shared_ptr<LocalRank>> makeLocalRanks(std::size_t size,
                                                       const std::shared_ptr<const LocalOptions>& options) {
  const auto group = std::make_shared<LocalGroup>(size, options);
  std::vector<std::shared_ptr<LocalRank>> ranks;
  for (std::size_t rank = 0; rank < size; ++rank) ranks.push_back(std::make_shared<LocalRank>(group, rank));
  return ranks;
}

}  // namespace tapestry::detail
