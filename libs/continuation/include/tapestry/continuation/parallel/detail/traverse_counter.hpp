// Defines TraverseCounter, which limits the branches of a Traverse in flight, and joins the branches.
#pragma once

#include <cstdint>

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
