// Defines mainExitCode, which makes an exit code of errors, and TrackedRuns, during which runs are tracked.
#pragma once

#include <concepts>
#include <exception>
#include <optional>

#include "tapestry/continuation/track_runs.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
concept MainResult = std::same_as<A, void> || std::same_as<A, int>;

/// Writes the error to stderr, and returns 1.
int writeMainError(const std::exception_ptr& error) noexcept;
/// The exit code of a cancelled program; `signal` is the signal that came, or 0; `code` is for a signal.
int mainExitCodeOfCancelled(int signal, std::optional<int> code) noexcept;

/// Returns the function's result; if it throws, writes the error, and returns 1.
template <class F>
int mainExitCode(const F& function) noexcept {
  try {
    return function();
  } catch (...) {
    return writeMainError(std::current_exception());
  }
}

unsigned threadsOfMachine() noexcept;

/// While this lives, all runs that begin are tracked, if `tracked` is true or they were tracked before.
class TrackedRuns {
 public:
  explicit TrackedRuns(bool tracked) noexcept : endsTracking_(tracked && !trackRuns(true)) {}
  TrackedRuns(const TrackedRuns&) = delete;
  TrackedRuns& operator=(const TrackedRuns&) = delete;
  ~TrackedRuns() {
    if (endsTracking_) trackRuns(false);
  }

 private:
  const bool endsTracking_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
