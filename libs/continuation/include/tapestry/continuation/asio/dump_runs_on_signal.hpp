// Defines DumpRunsOnSignal, which writes the runs of a process when the process receives a signal.
#pragma once

#include <csignal>
#include <iosfwd>
#include <memory>

#pragma GCC visibility push(default)
namespace tapestry {

/// During its lifetime, writes the output of dumpRuns (tapestry/continuation/named.hpp) at each such signal,
/// to find runs that hang in a live process: `kill -USR1 1234`. It has a separate thread, so that it works
/// even when all threads of the executors wait or are busy.
///
/// Writing must not throw. Throws std::invalid_argument for a signal that cannot be handled, and
/// std::system_error if no thread can be started.
class DumpRunsOnSignal {
 public:
  /// Writes to std::cerr.
  explicit DumpRunsOnSignal(int signal = SIGUSR1);
  DumpRunsOnSignal(int signal, std::ostream& out);
  DumpRunsOnSignal(const DumpRunsOnSignal&) = delete;
  DumpRunsOnSignal& operator=(const DumpRunsOnSignal&) = delete;
  /// Waits for the end of output in progress.
  ~DumpRunsOnSignal();

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace tapestry
#pragma GCC visibility pop
