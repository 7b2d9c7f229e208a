// Defines EventState, the state that the copies of an Event share.
#pragma once

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class EventState final : public Node {
 public:
  /// Each returns whether it has changed the flag.
  bool set() noexcept;
  bool reset() noexcept;

  bool isSet() noexcept;

 private:
  friend class EventWaiter;
  WaitQueue queue_;
  bool isSet_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
