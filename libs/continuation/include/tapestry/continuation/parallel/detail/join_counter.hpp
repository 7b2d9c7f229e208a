// Defines JoinCounter, which lets each branch of a parallel program begin once, and joins the branches.
#pragma once

#include <atomic>
#include <cstddef>

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
