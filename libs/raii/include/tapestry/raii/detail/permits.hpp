// Defines Permits, a number of permits that runs take, and for which they wait in turn.
#pragma once

#include <cstddef>

#include "tapestry/continuation/detail/wait_queue.hpp"

namespace tapestry::detail {

/// While somebody waits, the first in the queue wants more than there are: nobody overtakes it.
class Permits : public Node {
 public:
  explicit Permits(std::size_t all) noexcept : total(all), available_(all) {}

  std::size_t available() noexcept;
  /// Whether the caller got so many, at once.
  [[nodiscard]] bool tryTake(std::size_t count) noexcept;
  /// Gives so many back, and lets those in for whom there are enough now.
  void give(std::size_t count) noexcept;

  const std::size_t total;

 private:
  friend class PermitWaiter;
  /// As tryTake; precondition: locked.
  bool takes(std::size_t count) noexcept;

  WaitQueue queue_;
  std::size_t available_;
};

/// A run that comes for permits. When it goes on, it was cancelled (leave() is true), or else it has them.
class PermitWaiter : public Waiter {
 public:
  PermitWaiter(Permits& from, std::size_t wanted) noexcept
      : Waiter(from.queue_), permits(from), count(wanted) {}

  Permits& permits;
  const std::size_t count;

 private:
  bool enter() noexcept final { return permits.takes(count); }
  /// Those behind it may want less.
  void left() noexcept final { permits.give(0); }
};

}  // namespace tapestry::detail
