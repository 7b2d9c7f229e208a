// Defines Interleaver, which runs a few threads in one interleaving of their steps after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tapestry::test {

/// The error that a model has found, and the schedule that reproduces it.
struct Violation final : std::runtime_error {
  Violation(const std::string& what, std::string how, std::vector<std::size_t> steps)
      : std::runtime_error(what + " (" + how + ")"), schedule(std::move(how)), threads(std::move(steps)) {}
  const std::string schedule;              ///< "seed N", or "schedule N" of an enumeration
  const std::vector<std::size_t> threads;  ///< which thread made each step
};

/// A model is made afresh for each schedule.
class Model {
 public:
  virtual ~Model() = default;
  /// What each thread does.
  virtual std::vector<std::function<void()>> threads() = 0;
  /// Called when all threads have ended.
  virtual void check() {}
};

using MakeModel = std::function<std::unique_ptr<Model>()>;

/// Runs every schedule with at most `preemptions` interruptions of threads that can continue, and returns the
/// number of schedules; with AddressSanitizer, of the first thousand. Throws the first Violation, also for a
/// deadlock.
std::size_t interleaveAll(const MakeModel& make, unsigned preemptions);

/// Runs one schedule for each of `count` seeds. A thread that is chosen at random makes each step.
void interleaveRandomly(const MakeModel& make, std::uint64_t firstSeed, std::size_t count);

/// To be called by the threads of a model. Throws a violation unless the condition holds.
void verify(bool condition, const char* what);

/// A step of the calling thread begins here: steps of other threads may come first. This function and the
/// following ones have no effect outside a model.
void interleavingPoint() noexcept;
/// Waits until the condition holds, which is evaluated after each step of another thread. Throws after a
/// violation.
void waitUntil(const std::function<bool()>& condition);
/// As waitUntil, in a function that must not throw.
void waitInside(const std::function<bool()>& condition) noexcept;
/// Identifies the calling thread of the model; null outside a model.
const void* interleavedThread();

}  // namespace tapestry::test
