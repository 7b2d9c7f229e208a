// Defines Delivery, which receives the outcome of a run on whatever thread it ends.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "tapestry/continuation/outcome.hpp"

namespace tapestry::test {

/// Give `callback()` to onComplete. It must outlive the run.
template <class A>
class Delivery {
 public:
  auto callback() {
    return [this](Outcome<A> outcome) {
      const std::lock_guard lock(mutex_);
      ++count_;
      thread_ = std::this_thread::get_id();
      if (!outcome_) outcome_.emplace(std::move(outcome));
      changed_.notify_all();
    };
  }

  int count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  /// Waits for the outcome.
  Outcome<A>& outcome() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ > 0; });
    return *outcome_;
  }

  /// The thread on which the run ended. Precondition: it has.
  std::thread::id thread() const {
    const std::lock_guard lock(mutex_);
    return thread_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
  std::thread::id thread_;
  std::optional<Outcome<A>> outcome_;
};

/// Whether the error is an E.
template <class E>
bool isError(const std::exception_ptr& error) {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const E&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace tapestry::test
