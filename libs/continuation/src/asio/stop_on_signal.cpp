#include "tapestry/continuation/asio/stop_on_signal.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "tapestry/continuation/named.hpp"

namespace tapestry {

namespace {

std::string nameOf(int signal) {
  const char* const description = ::strsignal(signal);
  return "signal " + std::to_string(signal) + " (" + (description ? description : "unknown") + ")";
}

/// Ends the process.
[[noreturn]] void giveUp(const std::string& reason, int signal) {
  std::ostringstream runs;
  dumpRuns(runs);
  std::cerr << "tapestry::StopOnSignal: " << reason << ", and the process ends; ";
  if (runs.str().empty())
    std::cerr << "no run that continues has a name\n";
  else
    std::cerr << "these runs continue:\n" << runs.str();
  std::cerr.flush();
  std::_Exit(128 + signal);
}

}  // namespace

struct StopOnSignal::Listener {
  explicit Listener(const StopOnSignalOptions& options) : deadline(options.deadline) {
    if (deadline && *deadline < Clock::Duration::zero())
      throw std::invalid_argument("tapestry::StopOnSignal: the deadline is before the signal, got " +
                                  std::to_string(deadline->count()) + " ns, expected at least 0");
    for (const int each : options.signals) add(each);
    wait();
  }

  /// Handles signals on a new thread. The thread shares the listener: a run that the request stops may end
  /// the listener's scope within the request, which may be on that thread.
  static void listen(const std::shared_ptr<Listener>& listener) {
    listener->thread = std::thread([listener] { listener->context.run(); });
  }
  void end() noexcept {
    context.stop();
    leave(thread);
    leave(requesting);
    boost::system::error_code ignored;
    signals.clear(ignored);
  }
  static void leave(std::thread& left) noexcept {
    if (left.get_id() == std::this_thread::get_id())
      left.detach();
    else if (left.joinable())
      left.join();
  }

  void add(int signal) {
    boost::system::error_code error;
    signals.add(signal, error);
    if (error)
      throw std::invalid_argument("tapestry::StopOnSignal: the signal cannot be handled, got " +
                                  std::to_string(signal) + ", expected ones such as SIGINT and SIGTERM");
  }

  void wait() {
    signals.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      if (first != 0) giveUp(nameOf(signal) + " came after " + nameOf(first), signal);
      first = signal;
      wait();
      startTimer();
      requestStop();
    });
  }

  void startTimer() {
    if (!deadline) return;
    timer.expires_after(std::min<Clock::Duration>(*deadline, std::chrono::hours(24 * 365)));
    timer.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline);
      giveUp(nameOf(first) + " came " + std::to_string(waited.count()) + " ms ago", first);
    });
  }

  /// On another thread, since a run may continue for long in the request, and this thread must still handle
  /// signals.
  void requestStop() {
    try {
      requesting = std::thread([source = source] { source.requestStop(); });
    } catch (const std::system_error&) {
      source.requestStop();
    }
  }

  const StopSource source;
  const std::optional<Clock::Duration> deadline;
  std::atomic<int> first{0};  ///< the first signal received, or 0
  boost::asio::io_context context{1};
  boost::asio::signal_set signals{context};
  boost::asio::steady_timer timer{context};
  std::thread requesting;
  std::thread thread;
};

StopOnSignal::StopOnSignal(StopOnSignalOptions options) : listener_(std::make_shared<Listener>(options)) {
  Listener::listen(listener_);
}
StopOnSignal::~StopOnSignal() { listener_->end(); }

StopToken StopOnSignal::token() const noexcept { return listener_->source.token(); }
int StopOnSignal::signal() const noexcept { return listener_->first; }

}  // namespace tapestry
