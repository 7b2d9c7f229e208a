// Defines StopOnSignal, by which SIGINT and SIGTERM ask runs to stop, and end a process that does not.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/stop.hpp"

namespace tapestry {

struct StopOnSignalOptions {
  std::vector<int> signals = {SIGINT, SIGTERM};
  /// How long the runs may take to end after the first signal; nothing for as long as they want.
  std::optional<Clock::Duration> deadline = std::chrono::seconds(10);
};

/// While it lives, the first signal asks the runs that have its token to stop. If it still lives at the
/// deadline, or at a second signal, it writes to stderr which runs hold the process up, by name, place and
/// what they wait for, as dumpRuns does (tapestry/continuation/named.hpp), and ends the process by std::_Exit
/// with 128 + signal: nothing else is released then. It has a thread of its own, so that it also answers
/// where all threads of the executors wait or are at work.
///
/// Throws std::invalid_argument for a signal that cannot be handled, or a deadline below 0, and
/// std::system_error where there is no thread. runMain has one.
class StopOnSignal {
 public:
  explicit StopOnSignal(StopOnSignalOptions options = {});
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  /// Signals do what they did by default. Waits for the request to stop that it is making.
  ~StopOnSignal();

  StopToken token() const noexcept;

  /// The first signal that came, or 0.
  int signal() const noexcept;

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace tapestry
