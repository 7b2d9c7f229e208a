// Defines SharedGate, the states through which users of one shared instance pass.
#pragma once

#include <cstddef>
#include <exception>

#include "tapestry/continuation/detail/wait_queue.hpp"

namespace tapestry::detail {

/// idle     no users, no instance
/// opening  one user, the opener, runs the acquire; all others wait
/// open     the instance is there, with one or more users
/// closing  the last user runs the release; users that come wait, and the first of them will be the next
/// opener
class SharedGate : public Node {
 public:
  /// For the opener: admits itself and all who wait.
  void opened() noexcept;
  /// For the opener: gives the error to all who wait; the next to come tries again.
  void failed(std::exception_ptr error) noexcept;
  /// For each user that was admitted, once; true for the last, which then releases and calls closed().
  [[nodiscard]] bool leave() noexcept;
  /// For the last user: the instance is released.
  void closed() noexcept;

 private:
  friend class SharedUser;
  enum class State { idle, opening, open, closing };

  WaitQueue queue_;
  State state_ = State::idle;
  std::size_t users_ = 0;
};

/// A user that comes to the gate. When its run goes on, it was cancelled (leave() is true), or it has an
/// error, or it is the opener, or else it was admitted.
class SharedUser : public Waiter {
 public:
  explicit SharedUser(SharedGate& gate) noexcept : Waiter(gate.queue_), gate_(gate) {}

  bool opener = false;
  std::exception_ptr error;

 private:
  bool enter() noexcept final;
  SharedGate& gate_;
};

}  // namespace tapestry::detail
