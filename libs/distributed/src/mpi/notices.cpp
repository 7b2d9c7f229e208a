// Defines how waiting ranks determine which rank is at fault after a time limit.

#include "mpi/group.hpp"

namespace tapestry::detail {

void MpiGroup::raiseAlarm(Clock::TimePoint now) {
  alarm_ =
      Alarm{open_.front()->number, extend::later(now, engine->options.grace), std::vector<bool>(size, false)};
  alarm_->heard[rank] = true;
  tellAll(Notice::waiting, open_.front()->number);
}

void MpiGroup::tellAll(Notice notice, std::uint64_t number, const std::vector<std::size_t>& ranks) {
  for (std::size_t to = 0; to < size; ++to)
    if (to != rank) tell(to, notice, number, ranks);
}

void MpiGroup::tell(std::size_t to, Notice notice, std::uint64_t number,
                    const std::vector<std::size_t>& ranks) {
  auto& words = notices_.emplace_back(std::vector{static_cast<std::uint64_t>(notice), number});
  words.insert(words.end(), ranks.begin(), ranks.end());
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, static_cast<int>(to),
                             noticeTag, comm, &request);
  // Nobody waits for the end, which does not come if the other rank is dead. MPI may refuse to send to it.
  if (code == MPI_SUCCESS) MPI_Request_free(&request);
}

void MpiGroup::tellLeaving() {
  const std::lock_guard lock(mutex_);
  const auto mpi = engine->lockMpi();
  tellAll(Notice::leaving, next_);
}

std::optional<Failure> MpiGroup::readNotices(Clock::TimePoint now) {
  for (;;) {
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    checkMpi(MPI_Improbe(MPI_ANY_SOURCE, noticeTag, comm, &there, &message, &status), "MPI_Improbe");
    if (!there) return std::nullopt;
    int count = 0;
    checkMpi(MPI_Get_count(&status, MPI_UINT64_T, &count), "MPI_Get_count");
    std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
    // small, and already here: this does not wait
    checkMpi(MPI_Mrecv(words.data(), count, MPI_UINT64_T, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    if (auto failure = read(static_cast<std::size_t>(status.MPI_SOURCE), words, now)) return failure;
  }
}

std::optional<Failure> MpiGroup::read(std::size_t from, const std::vector<std::uint64_t>& words,
                                      Clock::TimePoint now) {
  const std::uint64_t number = words[1];
  switch (static_cast<Notice>(words[0])) {
    case Notice::waiting: {
      if (!open_.empty() && number < open_.front()->number) tell(from, Notice::here, open_.front()->number);
      // a notice for a collective that has ended on this rank was sent before the collective ended on the
      // sender
      if (open_.empty() || number + 1 < open_.front()->number) return std::nullopt;
      if (!alarm_ && number >= open_.front()->number) raiseAlarm(now);
      if (alarm_) alarm_->heard[from] = true;
      return std::nullopt;
    }
    case Notice::broken: {
      const std::vector<std::size_t> ranks(words.begin() + 2, words.end());
      return Failure{Failure::Kind::rank,
                     "tapestry::Communicator: " + nameOfRanks(ranks) + " did not come, as rank " +
                         std::to_string(from) + " reports, expected all " + std::to_string(size) + " ranks",
                     ranks};
    }
    case Notice::here:  // unless it is late, and answers an alarm that has ended
      if (alarm_ && number >= alarm_->number) alarm_->heard[from] = true;
      return std::nullopt;
    case Notice::leaving:
      break;
  }
  if (open_.empty() || open_.back()->number < number) {
    leaving_.push_back({from, number});
    return std::nullopt;
  }
  return vanished(from);
}

Failure MpiGroup::vanished(std::size_t from) const {
  return Failure{Failure::Kind::rank,
                 "tapestry::Communicator: " + nameOfRanks({from}) + " has left before " +
                     nameOf(open_.back()->call) + ", expected all " + std::to_string(size) + " ranks",
                 {from}};
}

Failure MpiGroup::verdict() const {
  std::vector<std::size_t> missing;
  for (std::size_t other = 0; other < size; ++other)
    if (!alarm_->heard[other]) missing.push_back(other);
  const std::string call = nameOf(open_.front()->call);
  const std::string within =
      " within " + secondsOf(engine->options.timeLimit) + ", expected all " + std::to_string(size) + " ranks";
  if (missing.empty())
    return Failure{Failure::Kind::argument, "tapestry::Communicator: all ranks wait, and " + call +
                                                " of rank " + std::to_string(rank) + " did not complete" +
                                                within + " to run the same collectives"};
  return Failure{Failure::Kind::rank,
                 "tapestry::Communicator: " + nameOfRanks(missing) + " did not come to " + call + within,
                 missing};
}

}  // namespace tapestry::detail
