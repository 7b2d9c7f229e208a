#include "mpi/messages.hpp"

#include <algorithm>
#include <climits>
#include <set>
#include <stdexcept>

#include "message_back.hpp"

namespace tapestry::detail {

void MpiSend::start(std::size_t to, int tag) {
  if (bytes_.size() > INT_MAX)
    throw std::invalid_argument("tapestry::Communicator::send: the message is too long, got " +
                                std::to_string(bytes_.size()) + " bytes, expected at most 2147483647");
  deadline_ = extend::later(Clock::system().now(), group_->engine->options.timeLimit);
  const auto mpi = group_->engine->lockMpi();
  checkMpi(MPI_Isend(bytes_.data(), static_cast<int>(bytes_.size()), MPI_BYTE, static_cast<int>(to), tag,
                     group_->comm, &request_),
           "MPI_Isend");
}

bool MpiSend::poll() {
  int sent = 0;
  bool hasFailed = false;
  {
    const auto mpi = group_->engine->lockMpi();
    hasFailed = MPI_Test(&request_, &sent, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  }
  if (sent && !hasFailed) return true;
  if (!hasFailed && Clock::system().now() < deadline_) return false;
  group_->engine->isBroken = true;
  group_->engine->keepForEver(shared_from_this());
  return true;
}

bool MpiReceive::match() {
  int there = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  checkMpi(MPI_Improbe(from_ ? static_cast<int>(*from_) : MPI_ANY_SOURCE, tag_, group_->comm, &there,
                       &message, &status),
           "MPI_Improbe");
  if (!there) return false;
  int count = 0;
  checkMpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  message_.from = static_cast<std::size_t>(status.MPI_SOURCE);
  message_.bytes.resize(static_cast<std::size_t>(count));
  checkMpi(MPI_Imrecv(message_.bytes.data(), count, MPI_BYTE, &message, &request_), "MPI_Imrecv");
  number_ = group_->matched++;
  isMatched_ = true;
  return true;
}

bool MpiReceive::test() {
  if (!isMatched_) {
    if (auto before = group_->takeBack(from_, tag_)) {
      if (!before->isHere) return false;
      message_ = std::move(before->message);
      number_ = before->number;
      return true;
    }
  }
  const auto mpi = group_->engine->lockMpi();
  if (!isMatched_ && !match()) return false;
  int over = 0;
  checkMpi(MPI_Test(&request_, &over, MPI_STATUS_IGNORE), "MPI_Test");
  return over != 0;
}

bool MpiReceive::poll() {
  if (!isMatched_ && isAbandoned()) return true;
  try {
    if (!test()) {
      if (isMatched_) coming();
      return false;
    }
    received();
  } catch (const std::exception& error) {
    fail(error);
  }
  return true;
}

void MpiReceive::coming() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(isComing_, true) && isAbandoned_) keepPlace();
}

void MpiReceive::fail(const std::exception& error) {
  if (isMatched_) {  // MPI may still write to the message
    group_->engine->isBroken = true;
    group_->engine->keepForEver(shared_from_this());
    const std::lock_guard lock(mutex_);
    isComing_ = false;
    group_->forget(number_);
  }
  finish(Failure{Failure::Kind::system, error.what()});
}

void MpiReceive::received() {
  {
    const std::lock_guard lock(mutex_);
    isComing_ = false;
    isHere_ = !isAbandoned_;
    if (isAbandoned_) return group_->giveBack({number_, tag_, std::move(message_)});
  }
  finish();
}

extend::Acquired<tapestry::Message> MpiReceive::take() {
  const std::lock_guard lock(mutex_);
  isHere_ = false;
  return detail::received(std::move(message_),
                          [group = group_, tag = tag_, number = number_](tapestry::Message message) {
                            group->giveBack({number, tag, std::move(message)});
                          });
}

extend::Acquired<tapestry::Message> MpiReceiving::served() {
  auto end = PendingWaiter::served();
  if (end.value.error()) return {Try<tapestry::Message>::failure(end.value.error()), {}};
  return receive_->take();
}

void MpiReceive::leave() noexcept {
  const std::lock_guard lock(mutex_);
  isAbandoned_ = true;
  if (std::exchange(isHere_, false)) group_->giveBack({number_, tag_, std::move(message_)});
  if (isComing_) keepPlace();
}

void MpiGroup::giveBack(Returned returned) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::lower_bound(returned_, returned.number, {}, &Returned::number);
  if (at != returned_.end() && at->number == returned.number)
    *at = std::move(returned);
  else
    returned_.insert(at, std::move(returned));
}

std::optional<MpiGroup::Returned> MpiGroup::takeBack(std::optional<std::size_t> from, int tag) {
  const std::lock_guard lock(mutex_);
  std::optional<Returned> firstToCome;
  std::set<std::size_t> late;  // the ranks of which an earlier message is still to come
  for (auto at = returned_.begin(); at != returned_.end(); ++at) {
    if (at->tag != tag || (from && *from != at->message.from)) continue;
    if (!at->isHere) {
      late.insert(at->message.from);
      if (!firstToCome) firstToCome = *at;
    } else if (!late.contains(at->message.from)) {
      Returned first = std::move(*at);
      returned_.erase(at);
      return first;
    }
  }
  return firstToCome;
}

void MpiGroup::forget(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  std::erase_if(returned_, [&](const Returned& each) { return each.number == number && !each.isHere; });
}

}  // namespace tapestry::detail
