// Defines MpiSend and MpiReceive, the messages of MpiCommunicator.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "mpi/group.hpp"

namespace tapestry::detail {

/// Nobody waits for it; given up at the deadline.
class MpiSend final : public MpiOperation, public std::enable_shared_from_this<MpiSend> {
 public:
  MpiSend(std::shared_ptr<MpiGroup> group, Bytes bytes)
      : group_(std::move(group)), bytes_(std::move(bytes)) {}

  /// Throws std::invalid_argument for too many bytes.
  void start(std::size_t to, int tag);
  bool poll() override;

 private:
  const std::shared_ptr<MpiGroup> group_;
  const Bytes bytes_;
  Clock::TimePoint deadline_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class MpiReceive final : public MpiOperation, public std::enable_shared_from_this<MpiReceive> {
 public:
  MpiReceive(std::shared_ptr<MpiGroup> group, std::optional<std::size_t> from, int tag)
      : group_(std::move(group)), from_(from), tag_(tag) {}

  bool poll() override;
  extend::Acquired<tapestry::Message> take();
  /// The run has ended, or is about to; a message that it has not taken goes to the next receive.
  void leave() noexcept;

 private:
  /// Takes a message that was given back, or begins to receive one, and tests whether it is here.
  bool test();
  /// The message is here; gives it to the run, or back if no run waits any more.
  void received();
  /// Begins to receive a message, if there is one. Precondition: MPI's lock.
  bool match();
  /// The message is still to come; if no run waits any more, later receives wait for it.
  void coming();
  void fail(const std::exception& error);

  bool isAbandoned() {
    const std::lock_guard lock(mutex_);
    return isAbandoned_;
  }
  /// Keeps the place of a message that is still to come. Precondition: locked.
  void keepPlace() { group_->giveBack({number_, tag_, {message_.from, {}}, false}); }

  const std::shared_ptr<MpiGroup> group_;
  const std::optional<std::size_t> from_;
  const int tag_;
  std::mutex mutex_;  ///< guards the next three; isHere_ is false when the message has been taken
  bool isAbandoned_ = false;
  bool isComing_ = false;
  bool isHere_ = false;
  bool isMatched_ = false;
  MPI_Request request_ = MPI_REQUEST_NULL;
  tapestry::Message message_;
  std::uint64_t number_ = 0;
};

/// The wait of a run for a message.
class MpiReceiving : public PendingWaiter {
 public:
  using Request = std::shared_ptr<MpiReceive>;
  explicit MpiReceiving(const Request& receive) : PendingWaiter(receive), receive_(receive) {}
  extend::Acquired<Message> served();

 private:
  Request receive_;
};

}  // namespace tapestry::detail
