// Defines Traverse, which runs a lazily made sequence of programs, a limited number at a time, and
// TraverseCounter, which counts its branches.
#pragma once

#include <cstdint>
#include <optional>

#include "tapestry/continuation/detail/engine/run.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// States: the number of free places for branches, less one while the token waits for a place, and the number
/// of branches in flight, plus one for the token. A thread that has the token begins one branch at a time.
template <class A>
class TraverseCounter {
 public:
  /// Called before the counter is shared with other threads.
  void begin(std::int64_t limit) noexcept {
    free_.store(limit - 1);  // one place is for the branch that the token's thread runs itself
  }

  /// Called with the token when it has a branch to begin. Returns whether the token is to be passed on now,
  /// for the next branch; if not, it is passed on when a branch ends.
  [[nodiscard]] bool beginOne() noexcept {
    running_.fetch_add(1);
    return free_.fetch_sub(1) > 0;
  }

  /// Called by a branch at its end: returns whether the token waits for its place; the caller then passes the
  /// token on. In each case the caller calls end() next.
  [[nodiscard]] bool leavePlace() noexcept { return free_.fetch_add(1) < 0; }

  /// Counts a branch, or the token that finds no other branch, as ended; returns true for the last.
  [[nodiscard]] bool end() noexcept { return running_.fetch_sub(1) == 1; }

 private:
  typename A::template Atomic<std::int64_t> free_{0};
  typename A::template Atomic<std::int64_t> running_{1};
};

/// Parks the parent run. A single token pulls one branch after the other, passes itself on, to an idle worker
/// if there is one, and lets its thread run the branch. While `limit` branches are in flight, the token waits
/// for a branch to end. The parent is resumed when no branch is left and all have ended. No thread blocks,
/// and pulls do not overlap.
///
/// It is also the stop state of its children, linked to the parent's; after a request no branch is pulled.
class Traverse : public StopState, private Parker {
 public:
  /// Called as the last action of the parent's step; the frame that takes the results must own this object.
  void begin(Run& parent, std::int64_t limit, const std::source_location& location);

 protected:
  /// A program and the place of its outcome, which is passed to `collect`.
  struct Branch {
    Ref<const ProgramNode> program;
    void* place;
  };

  /// Returns the next branch; a null program means that there is none.
  virtual Branch pull() noexcept = 0;
  /// Takes the branch's outcome out of its run; returns true if the other branches shall be asked to stop.
  /// Possibly called concurrently for different branches.
  virtual bool collect(void* place, Run& run) noexcept = 0;

 private:
  class Child;
  class Token;

  bool park(Run& parent) noexcept override;
  void branchEnded() noexcept;
  std::uintptr_t branchOf(const Run& run) const noexcept override;

  Run* parent_ = nullptr;
  std::optional<const Environment> environment_;
  Token* token_ = nullptr;
  std::source_location location_;
  TraverseCounter<Atomics> branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
