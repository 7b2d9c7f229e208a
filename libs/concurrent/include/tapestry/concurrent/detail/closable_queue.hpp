// Defines ClosableQueue, a queue of waiting runs that can be closed.
#pragma once

#include <exception>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class ClosableQueue {
 public:
  /// Closes the queue and wakes all waiters; false if it was closed before. A null error means Closed.
  bool close(std::exception_ptr error) noexcept;
  bool isClosed() noexcept;
  /// The error given to `close`, or else Closed. Precondition: it was closed.
  std::exception_ptr error() const noexcept;
  bool closedWithError() const noexcept { return error_ != nullptr; }

 protected:
  ClosableQueue() noexcept = default;
  ~ClosableQueue() = default;

  WaitQueue queue_;  ///< its lock guards the following members, until the close
  bool closed_ = false;
  std::exception_ptr error_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
