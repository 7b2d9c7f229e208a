// Defines runMain, a `main` function in one line; link tapestry::asio too.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tapestry/concurrent/detail/main_run.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/stop_on_signal.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// While this lives, the given number of threads run an io_context, including the thread that calls run().
class ContextThreads {
 public:
  ContextThreads(boost::asio::io_context& context, unsigned threads)
      : context_(context), work_(context.get_executor()) {
    if (context.stopped()) context.restart();
    try {
      while (others_.size() + 1 < threads) others_.emplace_back([this] { run(); });
    } catch (...) {
      end();
      throw;
    }
  }
  ContextThreads(const ContextThreads&) = delete;
  ContextThreads& operator=(const ContextThreads&) = delete;
  ~ContextThreads() { end(); }

  /// Returns when the context is stopped.
  void run() const noexcept { context_.run(); }

 private:
  void end() noexcept {
    context_.stop();
    for (std::thread& other : others_) other.join();
  }

  boost::asio::io_context& context_;
  const boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::vector<std::thread> others_;
};

}  // namespace detail

struct RunMainOptions {
  /// The threads of the pool; 0 for as many as the machine runs at once. For an io_context, 0 means the main
  /// thread alone.
  unsigned threads = 0;
  /// Whether to list all runs that hold the process up, or, with less cost, only runs with names, such as the
  /// program: see trackRuns (tapestry/continuation/track_runs.hpp).
  bool trackRuns = true;
  /// The signals that ask the program to stop.
  std::vector<int> signals = {SIGINT, SIGTERM};
  /// The time in which it must end after the first signal; empty for no limit.
  std::optional<Clock::Duration> deadline = std::chrono::seconds(10);
  /// The exit code if a signal has asked the program to stop, and it was cancelled, such as 0 for a service
  /// that is stopped by SIGTERM as a rule; empty for 128 + signal.
  std::optional<int> stoppedCode = {};
};

/// Runs the program, a Do<void> or a Do<int>, on a ThreadPool, and returns the exit code of the process:
///
///     int main() { return tapestry::runMain(program); }
///
/// - the value of a Do<int>, 0 for a Do<void>;
/// - 1 if it fails: the error is written to stderr, by `describe`, with its trace;
/// - the options' stoppedCode, or else 128 + signal, if SIGINT or SIGTERM has asked it to stop, and it
///   was cancelled, after all releases. If it does not end by the deadline, 10 s unless set otherwise,
///   or a second signal comes, the runs that hold it up are written to stderr, by name and place, and
///   the process ends there (StopOnSignal).
///
/// Throws nothing: if no thread can be started, or an option is wrong, writes that to stderr and returns 1.
template <detail::MainResult A>
[[nodiscard("return it from main")]] int runMain(const Do<A>& program, const RunMainOptions& options = {},
                                                 detail::Location location = detail::Location::current()) {
  return detail::mainExitCode([&] {
    const StopOnSignal stop({options.signals, options.deadline});
    detail::MainRun<A> run(program, options.trackRuns, location);
    ThreadPool pool(options.threads ? options.threads : detail::threadsOfMachine());
    run.start(pool, stop.token(), [] {});
    run.wait();
    return run.exitCode(stop.signal(), options.stoppedCode);
  });
}

/// As above, on the executor, whose threads belong to the caller.
template <detail::MainResult A>
[[nodiscard("return it from main")]] int runMain(const Do<A>& program, Executor& executor,
                                                 const RunMainOptions& options = {},
                                                 detail::Location location = detail::Location::current()) {
  return detail::mainExitCode([&] {
    const StopOnSignal stop({options.signals, options.deadline});
    detail::MainRun<A> run(program, options.trackRuns, location);
    run.start(executor, stop.token(), [] {});
    run.wait();
    return run.exitCode(stop.signal(), options.stoppedCode);
  });
}

/// As above, on the io_context, which this thread and, with options.threads above 1, other threads run until
/// the program has ended; then the io_context is stopped. It is an error to stop it before. An exception from
/// another handler in the io_context ends the process.
template <detail::MainResult A>
[[nodiscard("return it from main")]] int runMain(const Do<A>& program, boost::asio::io_context& context,
                                                 const RunMainOptions& options = {},
                                                 detail::Location location = detail::Location::current()) {
  return detail::mainExitCode([&] {
    const StopOnSignal stop({options.signals, options.deadline});
    AsioExecutor executor(context);
    detail::MainRun<A> run(program, options.trackRuns, location);
    const detail::ContextThreads threads(context, options.threads);
    run.start(executor, stop.token(), [&context] { context.stop(); });
    threads.run();
    if (!run.hasEnded())
      throw std::runtime_error(
          "tapestry::runMain: the io_context was stopped before the program had ended, expected that runMain "
          "stops it");
    return run.exitCode(stop.signal(), options.stoppedCode);
  });
}

void runMain(...) = delete;  // expected a Do<void> or Do<int>, an Executor or io_context, RunMainOptions

}  // namespace tapestry
#pragma GCC visibility pop
