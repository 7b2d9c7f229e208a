// Defines Gather, which runs n programs as branches of a run, in parallel where workers are idle, and
// JoinCounter, which lets each branch begin once, and joins the branches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tapestry/continuation/detail/engine/run.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// States: the number of claimed branches, and the number of branches not yet counted as ended. A parent
/// claims the first branch and counts all its own branches together, at its end; other threads count each
/// branch. So exactly one thread counts the last branches.
template <class A>
class JoinCounter {
 public:
  /// Called before the counter is shared with other threads.
  void begin(std::size_t count) noexcept {
    count_ = count;
    // relaxed: the counter is published to other threads when it is shared
    running_.store(count, std::memory_order_relaxed);
  }

  std::size_t count() const noexcept { return count_; }

  /// Returns the index of a branch for this caller alone, or count() or more if no branch is left.
  std::size_t claim() noexcept { return next_.fetch_add(1); }
  /// As claim(), while only one thread uses this counter.
  std::size_t claimAlone() noexcept {
    // relaxed: no other thread uses this counter
    const std::size_t index = next_.load(std::memory_order_relaxed);
    next_.store(index + 1, std::memory_order_relaxed);
    return index;
  }
  /// A hint whether all branches have been claimed.
  bool allClaimed() const noexcept {
    return next_.load(std::memory_order_relaxed) >= count_;  // relaxed: claim() decides
  }

  /// Counts the branches as ended; returns true for the last branches.
  [[nodiscard]] bool end(std::size_t branches) noexcept { return running_.fetch_sub(branches) == branches; }
  /// Called by the parent when its own branches have ended: returns whether all others were counted. Then it
  /// need not count its own.
  bool othersEnded(std::size_t own) const noexcept {
    // acquire: sees the effects of the branches that have ended on other threads
    return running_.load(std::memory_order_acquire) == own;
  }

 private:
  std::size_t count_ = 0;
  typename A::template Atomic<std::size_t> next_{0};
  typename A::template Atomic<std::size_t> running_{0};
};

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

  /// Called when the parent parks or keeps its thread: gives it tickets for this and all outer gathers.
  void share() noexcept;
  /// Called when the parent makes way after a turn: shares the gathers whose current branch has taken many
  /// turns, so that a branch that never waits does not keep the others from beginning. Short branches
  /// are not shared, since a ticket costs more than the branch.
  void turnEnded() noexcept;

  /// Called when a branch of the parent is about to leave the parent's executor, to which the parent will
  /// return.
  void keepHome() noexcept {
    if (!keptHome_) keptHome_ = holdOf(*home_);
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
  std::uint32_t turns_ = 0;  ///< that have ended during the current branch
  bool shared_ = false;      ///< there are or were tickets, or share() was called
  bool hasTicket_ = false;   ///< share() was called
  JoinCounter<Atomics> branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
