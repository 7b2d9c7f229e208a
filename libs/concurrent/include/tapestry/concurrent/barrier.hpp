// Defines Barrier, at which a number of runs wait for each other, again and again.
#pragma once

#include <cstddef>

#include "tapestry/concurrent/detail/barrier_state.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// When as many runs have arrived as it has parties, all of them go on, and the next cycle begins. Copies are
/// the same barrier. Usable from several threads at once, and by runs on any executors; a waiting run blocks
/// no thread, and goes on on its own executor, never inside the arrival that made that possible.
class Barrier {
 public:
  /// Throws std::invalid_argument for less than 1 party.
  explicit Barrier(std::ptrdiff_t parties);

  /// Arrives, and goes on when all parties of this cycle have arrived. A request to stop that comes before
  /// that takes the arrival back and ends the wait, unless masked. The barrier then waits for another party.
  [[nodiscard("a program does nothing until it is run")]] Do<void> arriveAndWait(
      detail::Location location = detail::Location::current()) const;

  /// How many had arrived in the current cycle a moment ago.
  std::size_t arrived() const noexcept;

 private:
  detail::Ref<detail::BarrierState> state_;
};

}  // namespace tapestry
