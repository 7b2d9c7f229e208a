// Defines JoinCounter, by which the branches of a parallel program are begun once each, and joined.
#pragma once

#include <atomic>
#include <cstddef>

namespace tapestry::detail {

/// States: the number of branches that were claimed, and that of those which have not been counted as ended.
/// A parent claims the first branch and counts its own together, at its end; other threads count each. So
/// exactly one thread counts the last branches.
template <class A>
class JoinCounter {
 public:
  /// Before it is shared with other threads.
  void begin(std::size_t count) noexcept {
    count_ = count;
    // relaxed: published to other threads by what shares it
    running_.store(count, std::memory_order_relaxed);
  }

  std::size_t count() const noexcept { return count_; }

  /// The index of a branch for this caller alone; count() or more if there is none.
  std::size_t claim() noexcept { return next_.fetch_add(1); }
  /// As claim(), while a single thread knows of this.
  std::size_t claimAlone() noexcept {
    // relaxed: no other thread knows of this
    const std::size_t index = next_.load(std::memory_order_relaxed);
    next_.store(index + 1, std::memory_order_relaxed);
    return index;
  }
  /// Whether none is left, as far as is known here.
  bool allClaimed() const noexcept {
    return next_.load(std::memory_order_relaxed) >= count_;  // relaxed: claim() decides
  }

  /// Counts so many as ended; true for the last ones.
  [[nodiscard]] bool end(std::size_t branches) noexcept { return running_.fetch_sub(branches) == branches; }
  /// For the parent, whose own have ended: whether all others were counted. Then it need not count its own.
  bool othersEnded(std::size_t own) const noexcept {
    // acquire: sees what the branches that have ended elsewhere did
    return running_.load(std::memory_order_acquire) == own;
  }

 private:
  std::size_t count_ = 0;
  typename A::template Atomic<std::size_t> next_{0};
  typename A::template Atomic<std::size_t> running_{0};
};

}  // namespace tapestry::detail
