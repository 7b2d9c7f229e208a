// Defines DumpRunsOnSignal, which writes the runs of a process when the process gets a signal.
#pragma once

#include <csignal>
#include <iosfwd>
#include <memory>

namespace tapestry {

/// While it lives, each such signal makes it write dumpRuns (tapestry/continuation/named.hpp), to find what
/// hangs in a process that runs: `kill -USR1 1234`. It has a thread of its own, so that it also answers where
/// all threads of the executors wait or are at work.
///
/// Writing must not throw. Throws std::invalid_argument for a signal that cannot be handled, and
/// std::system_error where there is no thread.
class DumpRunsOnSignal {
 public:
  /// Writes to std::cerr.
  explicit DumpRunsOnSignal(int signal = SIGUSR1);
  DumpRunsOnSignal(int signal, std::ostream& out);
  DumpRunsOnSignal(const DumpRunsOnSignal&) = delete;
  DumpRunsOnSignal& operator=(const DumpRunsOnSignal&) = delete;
  /// Waits until it has written what it is writing.
  ~DumpRunsOnSignal();

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace tapestry
