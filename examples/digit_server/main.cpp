// Serves the gated network over HTTP while it is trained: a page to draw a digit on, answers to POST
// /predict, metrics. One thread serves, the threads of a pool train.
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <iostream>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent/asio/run_main.hpp>
#include <tapestry/concurrent/asio/serve.hpp>
#include <tapestry/concurrent/background.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/environment.hpp>

#include "digit_server/connection.hpp"
#include "digit_server/service.hpp"
#include "digit_server/training.hpp"
#include "support/digits.hpp"
#include "support/options.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;
namespace asio = boost::asio;
using asio::ip::tcp;
using Acceptor = asio::basic_socket_acceptor<tcp, Strand>;

struct Settings {
  std::size_t port = 8080;
  std::optional<std::filesystem::path> data;
  TrainingSettings training;
  Limits limits;
  std::size_t requestTime = 5000;  // in milliseconds
  std::size_t batch = 32;
  std::size_t window = 200;  // in microseconds

  /// The longest time of a request in flight: it arrives, and its response is sent, within the time limit;
  /// the window, the passes and the close of the connection take up to a second each.
  Clock::Duration longestRequest() const { return 2 * limits.request + std::chrono::seconds(3); }
};

Acceptor listening(asio::io_context& context, std::size_t port) {
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), static_cast<asio::ip::port_type>(port));
  try {
    return Acceptor(asio::make_strand(context), endpoint);
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen on port " + std::to_string(port) + ": " + error.code().message());
  }
}

// [main]
/// Trains beside the server; an error of the training leaves the server as it is.
Do<void> serveAndTrain(Acceptor& acceptor, Service& service, const Digits& digits, const Settings& settings,
                       Executor& workers) {
  const auto training = trainDigits(service.model, digits, settings.training, workers, service.curve);
  const auto reported = training.handleError([](const std::exception_ptr& error) {
    std::cerr << "digit_server: the training has failed: " + describe(error) + '\n' << std::flush;
    return Do<void>::now();
  });
  const Semaphore places(settings.limits.connections);
  const auto attendOne = [&service, &settings, places](const Handle<Socket>& socket, const Event& stopping) {
    return attend(service, settings.limits, places, socket, stopping);
  };
  constexpr std::size_t refusals = 32;  // at once
  const auto serving =
      serve(acceptor, attendOne,
            {.connections = settings.limits.connections + refusals, .drain = settings.longestRequest()});
  return background(reported, "training").flatMap([serving](const Task<void>&) { return serving; });
}
// [/main]

int run(Settings settings, std::uint64_t seed, std::size_t threads) {
  settings.limits.request = std::chrono::milliseconds(settings.requestTime);
  settings.training.seed = seed;
  const DigitData data = findDigits(settings.data, seed);
  asio::io_context context(1);
  Acceptor acceptor = listening(context, settings.port);
  Service service(seed, {.size = static_cast<std::ptrdiff_t>(settings.batch),
                         .window = std::chrono::microseconds(settings.window)});
  ThreadPool workers(static_cast<unsigned>(threads));
  std::cout << data.source << "\nhttp://127.0.0.1:" << acceptor.local_endpoint().port() << std::endl;
  RunMainOptions options;
  options.trackRuns = false;
  options.stoppedCode = 0;
  options.deadline = settings.longestRequest() + std::chrono::seconds(5);
  AsioClock clock(context);  // timers without a separate thread
  const auto program = serveAndTrain(acceptor, service, data.training, settings, workers);
  return runMain(withClock(clock, program), context, options);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("digit_server", "Serves a network of two gated experts over HTTP while it is trained.");
  options.count("--port", settings.port, "of 127.0.0.1; 0 for any", {0, 65535})
      .path("--data", settings.data, "directory with the four IDX files of MNIST, plain or gzipped")
      .count("--epochs", settings.training.epochs, "passes over the training images", {0, 1'000'000})
      .real("--learning-rate", settings.training.learningRate, "of Adam, in the first epoch")
      .count("--batch", settings.batch, "most images that are answered together")
      .count("--window", settings.window, "microseconds that an image waits for others", {0, 1'000'000})
      .count("--connections", settings.limits.connections, "most connections; more get 503")
      .count("--body", settings.limits.body, "most bytes of a request's body; more get 413", {784, 1 << 24})
      .count("--request-time", settings.requestTime,
             "milliseconds for a request to arrive; a slower one gets 408")
      .traced(tracePasses);
  int code = EXIT_SUCCESS;
  const int parsed =
      options.run(argc, argv, [&] { code = run(settings, options.seed(), options.threads()); });
  return parsed == EXIT_SUCCESS ? code : parsed;
}
