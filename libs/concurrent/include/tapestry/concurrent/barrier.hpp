// Defines Barrier, at which a fixed number of runs wait for each other, again and again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class BarrierState final : public Node {
 public:
  explicit BarrierState(std::size_t parties) noexcept : parties_(parties) {}

  std::size_t arrived() noexcept;

 private:
  friend class BarrierArrival;

  /// Returns the cycle of the caller's arrival. The last arrival of a cycle ends the cycle and wakes the
  /// others.
  std::uint64_t arrive() noexcept;
  /// Takes an arrival back, unless its cycle is over.
  void takeBack(std::uint64_t cycle) noexcept;

  WaitQueue queue_;
  const std::size_t parties_;
  std::size_t arrived_ = 0;  ///< in this cycle, waiting or about to wait
  std::uint64_t cycle_ = 0;
};

}  // namespace detail

/// When as many runs have arrived as the barrier has parties, all of them continue, and the next cycle
/// begins. Copies share the barrier. Usable from several threads at once, and by runs on any executors; a
/// waiting run blocks no thread, and continues on its own executor, never inside the arrival that wakes it.
class Barrier {
 public:
  /// Throws std::invalid_argument for less than 1 party.
  explicit Barrier(std::ptrdiff_t parties);

  /// Arrives, and waits until all parties of this cycle have arrived. A request to stop before all parties
  /// have arrived takes the arrival back and ends the wait, unless masked. The barrier then waits for another
  /// party.
  [[nodiscard("a program does nothing until it is run")]] Do<void> arriveAndWait(
      detail::Location location = detail::Location::current()) const;

  /// The number of arrivals in the current cycle; may be outdated on return.
  std::size_t arrived() const noexcept;

 private:
  detail::Ref<detail::BarrierState> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
