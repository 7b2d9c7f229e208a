// Defines LatchState, the state that the copies of a Latch share.
#pragma once

#include <atomic>
#include <cstddef>

#include "tapestry/concurrent/detail/completion_cell.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class LatchState final : public Node {
 public:
  explicit LatchState(std::size_t count) noexcept;

  /// Counts down, and sets `opened` at 0; false if the count was 0 before.
  bool countDown() noexcept;
  std::size_t count() const noexcept { return count_.load(); }

  const Ref<CompletionCell> opened = makeRef<CompletionCell>();

 private:
  std::atomic<std::size_t> count_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
