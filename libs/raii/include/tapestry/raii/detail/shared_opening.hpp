// Defines SharedOpening, the state that a gate keeps for one opening of a shared instance.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The result of an opening, for the users that waited for it.
enum class OpeningResult : unsigned char { pending, opened, failed, cancelled };

/// The state that a gate keeps for one opening.
class SharedOpening {
 public:
  /// Does not change any more once it is not pending. Thread-safe.
  OpeningResult result() const noexcept { return result_.load(std::memory_order_acquire); }
  /// Precondition: the result is failed.
  const std::exception_ptr& failure() const noexcept { return failure_; }

 private:
  template <class, class>
  friend class BasicSharedGate;

  /// Precondition: the gate's lock is held, as for all changes.
  void end(OpeningResult result) noexcept { result_.store(result, std::memory_order_release); }

  std::atomic<OpeningResult> result_{OpeningResult::pending};
  std::exception_ptr failure_;
  std::size_t users_ = 0;   ///< users that wait for it, its opener included
  std::size_t within_ = 0;  ///< users that are part of the opening itself
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
