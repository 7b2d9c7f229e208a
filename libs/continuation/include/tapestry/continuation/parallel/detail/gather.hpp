// Defines Gather, which runs n programs as branches of a run, in parallel where workers are idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/parallel/detail/join_counter.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The parent runs one branch after the other itself. Whenever it begins a branch and a worker of the
/// environment is idle, the worker is offered a ticket, with which it claims and begins other branches, each
/// in a separate run. When a branch suspends the parent, the parent's thread gets a ticket, too. The parent
/// continues when all branches have ended. No thread blocks.
///
/// It is also the stop state of its branches, linked to the parent's; a branch that has not begun before a
/// request to stop never begins.
class Gather : public StopState, private Parker {
 public:
  /// Called as the last action of the parent's step; the frame that takes the results must own this object.
  /// The location is the place in the user's source that begins the branches, if known.
  void begin(Run& parent, std::size_t count, const std::source_location& location);

  /// Called when the parent is about to be parked: gives its thread tickets for this and all outer gathers.
  void share() noexcept;

  /// Called when a branch of the parent is about to leave the parent's executor, to which the parent will
  /// return.
  void keepHome() noexcept {
    if (!keptHome_.get()) keptHome_ = ExecutorHold(*home_);
  }

 protected:
  /// Gives the run the program of a branch, which the run may borrow from this object. Called once for each
  /// branch, possibly concurrently for different branches.
  virtual void start(std::size_t index, Run& run) noexcept = 0;
  /// Takes the branch's outcome out of its run; returns true if the other branches shall be asked to stop.
  virtual bool collect(std::size_t index, Run& run) noexcept = 0;

 private:
  class Child;
  class Ticket;

  void beginNext(Run& parent);
  void leave(Run& parent) noexcept;
  bool park(Run& parent) noexcept override;
  std::uintptr_t branchOf(const Run& run) const noexcept override;
  /// Asks all branches to stop except the branch with this index, whose outcome is the reason.
  void requestOthers(std::size_t index) noexcept;
  void branchEnded(Run& parent);

  std::size_t claim() noexcept;
  bool offer() noexcept;
  bool end(std::size_t branches) noexcept;
  /// The scopes that branches have left open are the parent's from now on.
  void allEnded() noexcept;

  Run* parent_ = nullptr;
  Executor* home_ = nullptr;  ///< the parent's
  ExecutorHold keptHome_;
  Gather* outer_ = nullptr;  ///< the gather with a branch that the parent is in
  const Environment* outerEnvironment_ = nullptr;
  std::optional<const Environment> environment_;
  std::source_location location_;
  std::size_t current_ = 0;  ///< the branch that the parent runs
  std::size_t endedInParent_ = 0;
  bool shared_ = false;     ///< there are or were tickets, or the parent was parked
  bool hasTicket_ = false;  ///< the parent was parked
  JoinCounter<Atomics> branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
