// Defines LatchState, what the copies of a Latch share.
#pragma once

#include <cstddef>

#include "tapestry/continuation/extend/wait_queue.hpp"

namespace tapestry::detail {

class LatchState final : public Node {
 public:
  explicit LatchState(std::size_t count) noexcept : count_(count) {}

  bool countDown() noexcept;
  std::size_t count() noexcept;

 private:
  friend class LatchWaiter;
  WaitQueue queue_;
  std::size_t count_;
};

}  // namespace tapestry::detail
