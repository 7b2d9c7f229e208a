// Defines StopOnSignal, which asks runs to stop on SIGINT or SIGTERM, and ends the process if they do not
// end.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/stop.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct StopOnSignalOptions {
  std::vector<int> signals = {SIGINT, SIGTERM};
  /// The time that the runs have to end after the first signal; nothing for no limit.
  std::optional<Clock::Duration> deadline = std::chrono::seconds(10);
};

/// During its lifetime, the first signal asks the runs that have its token to stop. If the object still
/// exists at the deadline, or at a second signal, it writes the names, places and waits of the remaining runs
/// to stderr, in the format of dumpRuns (tapestry/continuation/named.hpp), and ends the process by std::_Exit
/// with 128 + signal, without any further release. It has a separate thread, so that it works even when all
/// threads of the executors wait or are busy.
///
/// Throws std::invalid_argument for a signal that cannot be handled, or a deadline below 0, and
/// std::system_error if no thread can be started. runMain uses a StopOnSignal.
class StopOnSignal {
 public:
  explicit StopOnSignal(StopOnSignalOptions options = {});
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  /// Afterwards signals have their default effect. Waits for the end of a request to stop, unless within it.
  ~StopOnSignal();

  StopToken token() const noexcept;

  /// The first signal that came, or 0.
  int signal() const noexcept;

 private:
  struct Listener;
  std::shared_ptr<Listener> listener_;
};

}  // namespace tapestry
#pragma GCC visibility pop
