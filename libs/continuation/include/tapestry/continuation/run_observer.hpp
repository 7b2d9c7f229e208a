// Defines RunObserver, which hears when runs begin, leave and change threads within named programs, and
// withObserver, which sets it.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "tapestry/continuation/environment.hpp"

namespace tapestry {

/// One execution of a named program, as an observer is told; for the time of the call.
class RunSpan {
 public:
  explicit RunSpan(const detail::NamedScope& scope) noexcept : scope_(&scope) {}

  std::uint64_t id() const noexcept;  ///< of no other one in the process
  const std::string& name() const noexcept;
  const std::source_location& location() const noexcept;  ///< where the name was given
  /// The named program around it, if the same observer has heard of that.
  std::optional<RunSpan> outer() const noexcept;

 private:
  const detail::NamedScope* scope_;
};

/// Told of the runs of named programs, on the thread where it happens. Calls for one run do not overlap;
/// those for different runs, such as branches of one program on several threads, may. They must be short,
/// since the run waits for them, and must not throw. `run` tells apart the runs, and the branches that have
/// threads of their own, that are in a span at the same time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// The run begins the program here.
  virtual void entered(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// The run, which is in the middle of the program, leaves this thread. It waits for the operation, which
  /// the user's source calls at the location, if that is known.
  virtual void suspended(const RunSpan&, [[maybe_unused]] const void* run,
                         [[maybe_unused]] const char* operation,
                         [[maybe_unused]] const std::source_location& location) noexcept {}
  /// The run goes on in the program here.
  virtual void resumed(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// A parallel branch of the program, or an opening that it waits for, begins here as a run of its own.
  virtual void branchBegan(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// Such a run has ended here.
  virtual void branchEnded(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// The program has ended here, with a value or stopped.
  virtual void left(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
};

namespace detail {

struct ObserverSlot {
  using Type = RunObserver*;
  static RunObserver* initial() noexcept { return nullptr; }
};

}  // namespace detail

/// Runs the program, and tells the observer, which must outlive its runs, of the named programs in it. Where
/// trackRuns(true) is on, the parallel branches count as named. Cost: none to runs without an observer, and
/// two calls for each name and each wait to those with one.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto withObserver(RunObserver& observer, P program) {
  return local<detail::ObserverSlot>(&observer, std::move(program));
}

void withObserver(...) = delete;  // expected a RunObserver and a program

}  // namespace tapestry
