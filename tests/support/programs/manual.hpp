// Defines Manual, an asynchronous leaf that the test completes by hand.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/mask.hpp"

namespace tapestry::test {

/// Keeps the callback of every run that waits at `program()` or `deaf()`, in the order of arrival; a callback
/// whose run was stopped meanwhile has no effect. Thread-safe.
template <class A>
class Manual {
 public:
  auto program() {
    return async<A>([this](Callback<A> callback) {
      const std::lock_guard lock(mutex_);
      callbacks_.push_back(std::move(callback));
    });
  }

  /// Does not hear of a request to stop.
  auto deaf() { return mask(program()); }

  /// How many callbacks there are.
  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return callbacks_.size();
  }

  /// Takes the oldest callback out. Precondition: waiting() > 0.
  Callback<A> take() {
    const std::lock_guard lock(mutex_);
    Callback<A> callback = std::move(callbacks_.front());
    callbacks_.erase(callbacks_.begin());
    return callback;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Callback<A>> callbacks_;
};

}  // namespace tapestry::test
