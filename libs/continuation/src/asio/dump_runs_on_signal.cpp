#include "tapestry/continuation/asio/dump_runs_on_signal.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tapestry/continuation/named.hpp"

namespace tapestry {

struct DumpRunsOnSignal::Listener {
  Listener(int signal, std::ostream& stream) : signals(context), out(stream) {
    boost::system::error_code error;
    signals.add(signal, error);
    if (error)
      throw std::invalid_argument("tapestry::DumpRunsOnSignal: the signal cannot be handled, got " +
                                  std::to_string(signal) + ", expected one such as SIGUSR1");
    wait();
    thread = std::thread([this] { context.run(); });
  }
  ~Listener() {
    context.stop();
    thread.join();
  }

  void wait() {
    signals.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      dumpRuns(out);
      out.flush();
      wait();
    });
  }

  boost::asio::io_context context{1};
  boost::asio::signal_set signals;
  std::ostream& out;
  std::thread thread;
};

DumpRunsOnSignal::DumpRunsOnSignal(int signal) : DumpRunsOnSignal(signal, std::cerr) {}
DumpRunsOnSignal::DumpRunsOnSignal(int signal, std::ostream& out)
    : listener_(std::make_unique<Listener>(signal, out)) {}
DumpRunsOnSignal::~DumpRunsOnSignal() = default;

}  // namespace tapestry
