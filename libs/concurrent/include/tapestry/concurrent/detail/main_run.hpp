// Defines MainRun, the run of a program whose outcome is the exit code of the process.
#pragma once

#include <chrono>
#include <concepts>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/continuation/track_runs.hpp"
#include "tapestry/raii/do.hpp"

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

template <MainResult A>
class MainRun {
 public:
  MainRun(const Do<A>& program, bool tracked, Location location)
      : program_(program.named("main", location)), tracked_(tracked), location_(location) {}

  /// `ended` is called after the outcome has been set.
  template <class F>
  void start(Executor& executor, const StopToken& stop, F ended) {
    const auto outcome = std::make_shared<std::promise<Outcome<A>>>();
    outcome_ = outcome->get_future();
    // of a Try, so that the name is the last place in the trace of an error
    program_.attempt().onComplete(
        [outcome, ended](Outcome<Try<A>> result) {
          outcome->set_value(flattened(std::move(result)));
          ended();
        },
        executor, stop, location_);
  }

  bool hasEnded() const { return outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

  /// Waits for the outcome.
  int exitCode(int signal, std::optional<int> stoppedCode) {
    const Outcome<A> outcome = outcome_.get();
    if (outcome.hasError()) return writeMainError(outcome.error());
    if (outcome.isCancelled()) return mainExitCodeOfCancelled(signal, stoppedCode);
    if constexpr (std::same_as<A, int>)
      return outcome.get();
    else
      return 0;
  }

  void wait() const { outcome_.wait(); }

 private:
  const Do<A> program_;
  const TrackedRuns tracked_;
  const Location location_;
  std::future<Outcome<A>> outcome_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
