#include "mpi/messages.hpp"

#include <algorithm>
#include <climits>
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
  return true;
}

bool MpiReceive::poll() {
  std::optional<Failure> failure;
  try {
    if (!isMatched_ && isAbandoned()) return true;
    if (!isMatched_ && group_->takeBack(from_, tag_, message_)) {
      received();
      return true;
    }
    const auto mpi = group_->engine->lockMpi();
    if (!isMatched_) isMatched_ = match();
    if (!isMatched_) return false;
    int over = 0;
    checkMpi(MPI_Test(&request_, &over, MPI_STATUS_IGNORE), "MPI_Test");
    if (!over) return false;
  } catch (const std::exception& error) {
    failure = Failure{Failure::Kind::system, error.what()};
    if (isMatched_) {  // MPI may still write to the message
      group_->engine->isBroken = true;
      group_->engine->keepForEver(shared_from_this());
    }
  }
  if (failure)
    finish(std::move(failure));
  else
    received();
  return true;
}

void MpiReceive::received() {
  {
    const std::lock_guard lock(mutex_);
    isHere_ = true;
    if (isAbandoned_) return group_->giveBack(std::move(message_), tag_);
  }
  finish();
}

extend::Acquired<tapestry::Message> MpiReceive::take() {
  const std::lock_guard lock(mutex_);
  isHere_ = false;
  return detail::received(std::move(message_), [group = group_, tag = tag_](tapestry::Message message) {
    group->giveBack(std::move(message), tag);
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
  if (std::exchange(isHere_, false)) group_->giveBack(std::move(message_), tag_);
}

void MpiGroup::giveBack(Message message, int tag) {
  const std::lock_guard lock(mutex_);
  returned_.push_back({std::move(message), tag});
}

bool MpiGroup::takeBack(std::optional<std::size_t> from, int tag, Message& message) {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(returned_.begin(), returned_.end(), [&](const Returned& each) {
    return each.tag == tag && (!from || *from == each.message.from);
  });
  if (at == returned_.end()) return false;
  message = std::move(at->message);
  returned_.erase(at);
  return true;
}

}  // namespace tapestry::detail
