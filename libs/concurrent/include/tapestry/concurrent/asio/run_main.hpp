// Defines runMain, a `main` function in one line; link tapestry::asio too.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <concepts>
#include <csignal>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/main_run.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/stop_on_signal.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

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

/// The run of the program, which signals ask to stop.
template <MainResult A>
class MainRun {
 public:
  MainRun(const Do<A>& program, const RunMainOptions& options, Location location)
      : stoppedCode_(options.stoppedCode),
        stop_({options.signals, options.deadline}),
        program_(program.named("main", location)),
        tracked_(options.trackRuns),
        location_(location) {}

  /// `ended` is called after the outcome has been set.
  template <class F>
  void start(Executor& executor, F ended) {
    const auto outcome = std::make_shared<std::promise<Outcome<A>>>();
    outcome_ = outcome->get_future();
    // of a Try, so that the name is the last place in the trace of an error
    program_.attempt().onComplete(
        [outcome, ended](Outcome<Try<A>> result) {
          outcome->set_value(flattened(std::move(result)));
          ended();
        },
        executor, stop_.token(), location_);
  }

  bool hasEnded() const { return outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

  /// Waits for the outcome.
  int exitCode() {
    const Outcome<A> outcome = outcome_.get();
    if (outcome.hasError()) return writeMainError(outcome.error());
    if (outcome.isCancelled()) return mainExitCodeOfCancelled(stop_.signal(), stoppedCode_);
    if constexpr (std::same_as<A, int>)
      return outcome.get();
    else
      return 0;
  }

 private:
  const std::optional<int> stoppedCode_;
  const StopOnSignal stop_;  // destroyed after the program, to whose destruction the deadline applies
  const Do<A> program_;
  const TrackedRuns tracked_;
  const Location location_;
  std::future<Outcome<A>> outcome_;
};

}  // namespace detail

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
    detail::MainRun<A> run(program, options, location);
    ThreadPool pool(options.threads ? options.threads : detail::threadsOfMachine());
    run.start(pool, [] {});
    return run.exitCode();
  });
}

/// As above, on the executor, whose threads belong to the caller.
template <detail::MainResult A>
[[nodiscard("return it from main")]] int runMain(const Do<A>& program, Executor& executor,
                                                 const RunMainOptions& options = {},
                                                 detail::Location location = detail::Location::current()) {
  return detail::mainExitCode([&] {
    detail::MainRun<A> run(program, options, location);
    run.start(executor, [] {});
    return run.exitCode();
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
    detail::MainRun<A> run(program, options, location);
    AsioExecutor executor(context);
    const detail::ContextThreads threads(context, options.threads);
    run.start(executor, [&context] { context.stop(); });
    threads.run();
    if (!run.hasEnded())
      throw std::runtime_error(
          "tapestry::runMain: the io_context was stopped before the program had ended, expected that runMain "
          "stops it");
    return run.exitCode();
  });
}

void runMain(...) = delete;  // expected a Do<void> or Do<int>, an Executor or io_context, RunMainOptions

}  // namespace tapestry
#pragma GCC visibility pop
