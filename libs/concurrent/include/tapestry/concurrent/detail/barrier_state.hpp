// Defines BarrierState, the state that the copies of a Barrier share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
