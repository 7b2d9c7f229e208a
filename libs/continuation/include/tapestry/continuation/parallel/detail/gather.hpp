// Defines Gather, which runs n programs as branches of a run, in parallel where workers are idle.
#pragma once

#include <cstddef>
#include <optional>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/parallel/detail/join_counter.hpp"

namespace tapestry::detail {

/// The parent runs one branch after the other itself. Whenever it begins one and a worker of the environment
/// is idle, that is offered a ticket, by which it claims and begins others, each in a run of its own; and
/// when a branch suspends the parent, the parent's thread gets a ticket too. The parent goes on when all
/// branches have ended. Nobody blocks.
///
/// It is also the stop of its branches, linked to the parent's; a branch that was not begun before the stop
/// never is.
class Gather : public StopState, private Parker {
 public:
  /// As the last thing in the parent's step; the frame that takes the results must own this.
  /// The location is where the user's source begins the branches, if that is known.
  void begin(Run& parent, std::size_t count, const std::source_location& location);

  /// For the parent, which is about to be parked: gives its thread tickets for this and all outer gathers.
  void share() noexcept;

  /// For the parent, whose branch is about to leave its executor: the parent comes back to that.
  void keepHome() noexcept {
    if (!keptHome_.get()) keptHome_ = ExecutorHold(*home_);
  }

 protected:
  /// Gives the run the program of a branch, which it may borrow from this. Called once for each branch,
  /// possibly at the same time for different ones.
  virtual void start(std::size_t index, Run& run) noexcept = 0;
  /// Takes the branch's outcome out of its run; true if the other branches shall be asked to stop.
  virtual bool collect(std::size_t index, Run& run) noexcept = 0;

 private:
  class Child;
  class Ticket;

  void beginNext(Run& parent);
  void leave(Run& parent) noexcept;
  bool park(Run& parent) noexcept override;
  void branchEnded(Run& parent);

  std::size_t claim() noexcept;
  bool offer() noexcept;
  bool end(std::size_t branches) noexcept;

  Run* parent_ = nullptr;
  Executor* home_ = nullptr;  ///< the parent's
  ExecutorHold keptHome_;
  Gather* outer_ = nullptr;  ///< whose branch the parent is in
  const Environment* outerEnvironment_ = nullptr;
  std::optional<const Environment> environment_;
  std::source_location location_;
  std::size_t current_ = 0;  ///< the branch that the parent runs
  std::size_t endedInParent_ = 0;
  bool shared_ = false;     ///< there are, or were, tickets, or the parent was parked
  bool hasTicket_ = false;  ///< the parent was parked
  JoinCounter<Atomics> branches_;
};

}  // namespace tapestry::detail
