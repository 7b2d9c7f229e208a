// Defines ClosableQueue, a queue of waiting runs that ends for good.
#pragma once

#include <exception>

#include "tapestry/continuation/extend/wait_queue.hpp"

namespace tapestry::detail {

class ClosableQueue {
 public:
  /// Wakes all waiters; false if it was closed before. A null error stands for Closed.
  bool close(std::exception_ptr error) noexcept;
  bool isClosed() noexcept;
  /// What `close` was given, or else Closed. Precondition: it was closed.
  std::exception_ptr error() const noexcept;
  bool closedWithError() const noexcept { return error_ != nullptr; }

 protected:
  ClosableQueue() noexcept = default;
  ~ClosableQueue() = default;

  WaitQueue queue_;  ///< its lock guards what follows, until it is closed
  bool closed_ = false;
  std::exception_ptr error_;
};

}  // namespace tapestry::detail
