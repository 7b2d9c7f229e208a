// Defines Latch, a count of events for which runs wait.
#pragma once

#include <atomic>
#include <cstddef>

#include "tapestry/concurrent/detail/completion_cell.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

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

}  // namespace detail

/// Opens permanently when it has been counted down to 0. Copies share the latch. Usable from several threads
/// at once, and by runs on any executors; a waiting run blocks no thread, and continues on its own executor,
/// never inside a step of another run.
class Latch {
 public:
  /// Open from the start if the count is 0. Throws std::invalid_argument for a count below 0.
  explicit Latch(std::ptrdiff_t count);

  /// Counts down by one, also from a thread without runs; at 0 wakes all waiters. Returns false if the latch
  /// was open before.
  bool countDown() const noexcept;

  /// Waits until the latch is open, and continues at once if it is. A request to stop ends the wait, unless
  /// masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> wait(
      detail::Location location = detail::Location::current()) const;

  /// The count that is left; may be outdated on return.
  std::size_t count() const noexcept;

 private:
  detail::Ref<detail::LatchState> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
