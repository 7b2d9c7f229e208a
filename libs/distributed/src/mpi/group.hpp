// Defines MpiGroup, a communicator of MPI with the order of its collectives, and MpiCollective.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "collective_call.hpp"
#include "mpi/engine.hpp"
#include "mpi/mpi_library.hpp"

namespace tapestry::detail {

/// The text of an error code of MPI.
std::string mpiErrorText(int code);

/// Thrown by the calls of MPI of this library.
struct MpiCallError final : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void checkMpi(int code, const char* function);

/// A collective of one or several phases, in each of which operations are posted, and then tested. The next
/// collective of the communicator begins when the operations of the last phase have been posted, so that the
/// order of operations is the same on all ranks.
class MpiCollective : public MpiOperation, public std::enable_shared_from_this<MpiCollective> {
 public:
  MpiCollective(std::shared_ptr<MpiGroup> group, const CollectiveCall& itsCall, int lastPhase);

  bool poll() final;
  MpiGroup* awaits() noexcept final { return group.get(); }

  /// Tests the operations, and posts those of the next phase; returns whether the collective has ended.
  /// Precondition: the group's lock, and MPI's.
  bool step();
  bool allPosted() const noexcept { return phase_ > lastPhase_ || (phase_ == lastPhase_ && posted_); }
  bool hasBegun() const noexcept { return begun_; }

  const std::shared_ptr<MpiGroup> group;
  const CollectiveCall call;
  std::uint64_t number = 0;  ///< in the order of the communicator
  Clock::TimePoint deadline;
  std::optional<Failure> failure;  ///< of this collective alone

 protected:
  /// Posts the operations of the phase, whose requests it adds.
  virtual void post(int phase) = 0;
  virtual bool isPhaseOver();
  MPI_Request& newRequest() { return requests_.emplace_back(MPI_REQUEST_NULL); }

 private:
  void compareCalls();

  const int lastPhase_;
  int phase_;
  bool posted_ = false;
  bool begun_ = false;
  std::vector<MPI_Request> requests_;
  std::vector<std::uint64_t> calls_;  ///< of all ranks
};

class MpiGroup final {
 public:
  /// The tag of the notices that waiting ranks send to each other.
  static constexpr int noticeTag = lastTag + 1;

  MpiGroup(std::shared_ptr<MpiEngine> groupEngine, MPI_Comm groupComm);

  /// Gives the collective its place in the order, and begins it as soon as that is its turn.
  void start(const std::shared_ptr<MpiCollective>& collective, const HeldExecutor& executor);
  bool poll(MpiCollective& collective);
  /// Looks for time limits and for notices of other ranks.
  void watch(Clock::TimePoint now);
  /// Notifies all other ranks that this rank runs no more collectives.
  void tellLeaving();
  /// Null unless all collectives fail.
  std::optional<Failure> failed();

  /// A message that was received, or is being received, for a run that waits no more.
  struct Returned {
    std::uint64_t number = 0;  ///< in the order of this rank's messages
    int tag = 0;
    Message message = {};
    bool isHere = true;
  };
  /// Keeps the message for the next receive; replaces the one of the same number, which was not here.
  void giveBack(Returned returned);
  /// Removes and returns the first message that the receive may take, which no message of the same rank that
  /// is still to come precedes; else returns the first that is still to come, without its bytes.
  std::optional<Returned> takeBack(std::optional<std::size_t> from, int tag);
  /// Forgets a message that never comes.
  void forget(std::uint64_t number);

  const std::shared_ptr<MpiEngine> engine;
  const MPI_Comm comm;
  const std::size_t rank;
  const std::size_t size;
  std::uint64_t matched = 0;  ///< messages that receives have matched; of the testing thread

 private:
  /// A rank that waits in a later collective than the sender of `waiting` answers `here`, which raises no
  /// alarm.
  enum class Notice : std::uint64_t { waiting, here, broken, leaving };
  struct Alarm {
    std::uint64_t number;  ///< of the collective
    Clock::TimePoint end;
    std::vector<bool> heard;
  };
  using Open = std::deque<std::shared_ptr<MpiCollective>>;

  // Precondition of all: locked.
  void beginNext();
  void tellAll(Notice notice, std::uint64_t number, const std::vector<std::size_t>& ranks = {});
  void tell(std::size_t to, Notice notice, std::uint64_t number, const std::vector<std::size_t>& ranks = {});
  std::optional<Failure> readNotices(Clock::TimePoint now);
  std::optional<Failure> read(std::size_t from, const std::vector<std::uint64_t>& notice,
                              Clock::TimePoint now);
  void raiseAlarm(Clock::TimePoint now);
  Failure verdict() const;
  Failure vanished(std::size_t from) const;
  /// Returns the collectives that the caller finishes with the failure, without the lock.
  Open breakBy(const Failure& failure);

  std::mutex mutex_;
  std::uint64_t next_ = 0;
  Open order_;  ///< those whose turn has not passed; all but the first have not begun
  Open open_;   ///< those that have not ended
  std::optional<Failure> broken_;
  std::optional<Alarm> alarm_;
  struct Leaving {
    std::size_t rank;
    std::uint64_t number;  ///< of the first collective that the rank does not run
  };
  std::vector<Leaving> leaving_;
  std::vector<Returned> returned_;                  ///< by number
  std::deque<std::vector<std::uint64_t>> notices_;  ///< sent; kept, as MPI may not have read them
};

}  // namespace tapestry::detail
