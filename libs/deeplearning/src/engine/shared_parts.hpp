// Defines SharedParts, numbered parts of work that a caller claims from the front and helpers from the back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tapestry::detail {

/// States: the range of parts that no thread has claimed, and the number of parts that have ended. Each part
/// is claimed by one thread. A helper that comes late finds no part to claim.
template <template <class> class Atomic>
class SharedParts {
 public:
  enum class End : bool { first, last };

  explicit SharedParts(std::size_t count) noexcept
      : count_(count), unclaimed_(Range{0, static_cast<std::uint32_t>(count)}) {}

  /// Returns whether a part was left to claim; then sets `part` to it.
  bool claim(End end, std::size_t& part) noexcept {
    // relaxed: claims order nothing, since the executor publishes the work to helpers
    Range before = unclaimed_.load(std::memory_order_relaxed);
    for (;;) {
      if (before.begin == before.end) return false;
      Range after = before;
      part = end == End::first ? after.begin++ : --after.end;
      if (unclaimed_.compare_exchange_weak(before, after, std::memory_order_relaxed)) return true;
    }
  }

  /// Called by the claimer of a part when it has done the part.
  void endOne() noexcept {
    // release: a thread that sees all parts ended sees their writes
    ended_.fetch_add(1, std::memory_order_release);
  }
  bool allEnded() const noexcept { return ended_.load(std::memory_order_acquire) == count_; }

  /// A hint how many parts are left to claim.
  std::size_t unclaimed() const noexcept {
    const Range range = unclaimed_.load(std::memory_order_relaxed);  // relaxed: claim() decides
    return range.end - range.begin;
  }

 private:
  struct Range {
    std::uint32_t begin, end;
    friend bool operator==(const Range&, const Range&) = default;
  };

  const std::size_t count_;
  Atomic<Range> unclaimed_;
  Atomic<std::size_t> ended_{0};
};

}  // namespace tapestry::detail
