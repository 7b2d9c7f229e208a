// Defines Latch, a count of events for which runs wait.
#pragma once

#include <cstddef>

#include "tapestry/concurrent/detail/latch_state.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Opens when it has been counted down to 0, for good. Copies are the same latch. Usable from several threads
/// at once, and by runs on any executors; a waiting run blocks no thread, and goes on on its own executor,
/// never inside the call that made that possible.
class Latch {
 public:
  /// Open from the start if the count is 0. Throws std::invalid_argument for a count below 0.
  explicit Latch(std::ptrdiff_t count);

  /// Counts one down, also from a thread without runs; at 0 wakes all runs that wait. Returns false if the
  /// latch was open before.
  bool countDown() const noexcept;

  /// Goes on once the latch is open, at once if it is. A request to stop ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> wait(
      detail::Location location = detail::Location::current()) const;

  /// How many were left to count a moment ago.
  std::size_t count() const noexcept;

 private:
  detail::Ref<detail::LatchState> state_;
};

}  // namespace tapestry
