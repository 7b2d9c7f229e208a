// Defines Pending, an event that runs wait for, and PendingWaiter, the wait of one run.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "collective_call.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  /// Wakes all that wait, with the failure if there is one. Only the first call has an effect.
  void finish(std::optional<Failure> failure = std::nullopt) noexcept {
    extend::WaitQueue::Waiter* all = nullptr;
    {
      const extend::SpinGuard guard(queue_.lock);
      if (std::exchange(done_, true)) return;
      failure_ = std::move(failure);
      all = queue_.popAll();
    }
    extend::wakeAll(all);
  }
  bool isDone() noexcept {
    const extend::SpinGuard guard(queue_.lock);
    return done_;
  }

 private:
  friend class PendingWaiter;
  extend::WaitQueue queue_;
  std::optional<Failure> failure_;  ///< constant when done
  bool done_ = false;               ///< guarded by queue_.lock
};

class PendingWaiter : public extend::Waiter {
 public:
  using Request = std::shared_ptr<Pending>;
  explicit PendingWaiter(const Request& pending) : Waiter(pending->queue_), pending_(pending) {}

  extend::Acquired<void> served() {
    if (pending_->failure_) return {Try<void>::failure(pending_->failure_->toException()), {}};
    return {Try<void>::success(Unit{}), {}};
  }

 private:
  bool enter() noexcept final { return pending_->done_; }
  Request pending_;
};

}  // namespace tapestry::detail
