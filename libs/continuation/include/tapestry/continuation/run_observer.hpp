// Defines RunObserver, which is notified when runs enter and leave named programs and change threads in them,
// and withObserver, which sets it.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "tapestry/continuation/environment.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// One execution of a named program, passed to an observer and valid during the call.
class RunSpan {
 public:
  explicit RunSpan(const detail::NamedScope& scope) noexcept : scope_(&scope) {}

  std::uint64_t id() const noexcept;  ///< unique in the process
  const std::string& name() const noexcept;
  /// Whether a user has given the name. Tracked runs without names are called "blockingAwait" or "branch 1".
  bool isNamed() const noexcept;
  const std::source_location& location() const noexcept;  ///< where the name was given
  /// The enclosing named program, if it has the same observer.
  std::optional<RunSpan> outer() const noexcept;

 private:
  const detail::NamedScope* scope_;
};

/// Notified of the runs of named programs, on the thread of the event. Calls for one run do not overlap;
/// calls for different runs, such as branches of one program on several threads, may. The functions must be
/// short, since the run waits for them, and must not throw. `run` distinguishes the runs, and the branches on
/// threads of their own, that are in a span at the same time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// The run begins the program on this thread.
  virtual void entered(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// The run leaves this thread in the middle of the program. It waits for the operation, which the user's
  /// source calls at the location, if the location is known.
  virtual void suspended(const RunSpan&, [[maybe_unused]] const void* run,
                         [[maybe_unused]] const char* operation,
                         [[maybe_unused]] const std::source_location& location) noexcept {}
  /// The run continues with the program on this thread.
  virtual void resumed(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// A parallel branch of the program, or a detached run such as the opening of a shared value, begins on
  /// this thread as a separate run.
  virtual void branchBegan(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// Such a run has ended on this thread.
  virtual void branchEnded(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
  /// The program has ended on this thread, with a value or by a stop.
  virtual void left(const RunSpan&, [[maybe_unused]] const void* run) noexcept {}
};

namespace detail {

struct ObserverSlot {
  using Type = RunObserver*;
  static RunObserver* initial() noexcept { return nullptr; }
};

}  // namespace detail

/// Runs the program and notifies the observer, which must outlive its runs, of the named programs in it; also
/// a Do and its releases, with tapestry/raii/environment.hpp. While trackRuns(true) is in effect, parallel
/// branches count as named. Cost: nothing for runs without an observer; two calls for each name and each wait
/// with one.
template <class P>
  requires requires(P program) { local<detail::ObserverSlot>(nullptr, std::move(program)); }
[[nodiscard("a program does nothing until it is run")]] auto withObserver(RunObserver& observer, P program) {
  return local<detail::ObserverSlot>(&observer, std::move(program));
}

void withObserver(...) = delete;  // expected a RunObserver and a program; for a Do raii/environment.hpp

}  // namespace tapestry
#pragma GCC visibility pop
