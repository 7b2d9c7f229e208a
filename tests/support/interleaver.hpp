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

/// What a model found, and how its schedule is found again.
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

/// Runs every schedule in which a thread that could go on is interrupted at most so many times, and returns
/// how many these are; with AddressSanitizer, the first thousand. Throws the Violation that comes first; also
/// where the threads wait for each other for good.
std::size_t interleaveAll(const MakeModel& make, unsigned preemptions);

/// Runs one schedule for each seed from first on, in which each step is that of a thread chosen at random.
void interleaveRandomly(const MakeModel& make, std::uint64_t firstSeed, std::size_t count);

/// For threads of a model: a violation unless the condition holds.
void verify(bool condition, const char* what);

/// A step of the calling thread begins here: others may come first. This and the others have no effect
/// outside of a model.
void interleavingPoint() noexcept;
/// Waits until the condition holds, which is looked at after each step of another thread. Leaves by an
/// exception after a violation.
void waitUntil(const std::function<bool()>& condition);
/// As waitUntil, in a function that must not throw.
void waitInside(const std::function<bool()>& condition) noexcept;
/// Which thread of the model calls; null outside of one.
const void* interleavedThread();

}  // namespace tapestry::test
