// What docs/tasks.md shows: programs that run beside a scope, programs that foreign threads start, and main.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <future>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent.hpp>
#include <tapestry/concurrent/asio/run_main.hpp>
#include <tapestry/concurrent/asio/serve.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/environment.hpp>
#include <tapestry/raii/repeat.hpp>
#include <tapestry/testing.hpp>
#include <thread>

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using testing::Scheduler;

namespace {

// [connection]
Do<void> sleep(std::chrono::milliseconds duration) { return Do<void>::lift(sleepFor(duration)); }

/// A connection that is closed when its scope ends.
Do<std::string> connection(const std::string& shop) {
  return resource(Do<std::string>::now(shop),
                  [](const std::string& name) { std::printf("closed %s\n", name.c_str()); });
}
// [/connection]

// [ask]
Do<int> askPrice(const std::string& shop, std::chrono::milliseconds takes, int price) {
  return connection(shop).flatMap(
      [=](const std::string&) { return sleep(takes).map([=] { return price; }); });
}
// [/ask]

// [print]
void print(const char* what, const std::exception_ptr& error) {
  const auto* const exception = errorAs<std::exception>(error);
  std::printf("%s: %s\n", what, exception ? exception->what() : "ended well");
}
// [/print]

// [greet]
/// Says a word, and closes the connection.
Do<void> greet(const Handle<tcp::socket>& socket) {
  return asio::async_write(*socket, asio::buffer("hello\n", 6), asDo).map([](std::size_t) {});
}
// [/greet]

/// A client is greeted, and then asks the process to end.
int serveOneClient() {
  // [serve]
  asio::io_context context;
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});  // port 0: any free port
  AsioClock clock(context);                                                // timers without another thread
  // [/serve]
  const std::jthread client([server = acceptor.local_endpoint()] {
    asio::io_context own;
    tcp::socket socket(own);
    socket.connect(server);
    std::string heard;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(heard), end);
    std::printf("the client heard %s", heard.c_str());
    std::raise(SIGTERM);
  });
  // [serve]
  return runMain(withClock(clock, serve(acceptor, greet)), context, {.stoppedCode = 0});
  // [/serve]
}

}  // namespace

int main() {
  {
    // [supervised]
    const auto lowest = supervised([](const Supervisor& supervisor) {
      return direct<Do>([=] {
        const Task<int> near = !supervisor.spawn(askPrice("near", 20ms, 50), "near");
        const Task<int> far = !supervisor.spawn(askPrice("far", 30ms, 40), "far");
        return std::min(!near.join(), !far.join());
      });
    });
    Scheduler scheduler;
    const int price = scheduler.run(lowest).get();
    std::printf("%d after %ld ms\n", price, long(scheduler.clock().now().time_since_epoch() / 1ms));
    // [/supervised]
  }
  {
    // [fail]
    const auto failing = supervised([](const Supervisor& supervisor) {
      return direct<Do>([=] {
        !supervisor.spawn(askPrice("slow", 1000ms, 10), "slow");
        !supervisor.spawn(sleep(5ms).flatMap([] { return Do<int>::raiseError("no such shop"); }), "wrong");
      });
    });
    print("supervised", Scheduler().run(failing).error());
    // [/fail]
  }
  {
    // [isolated]
    const auto isolated = Supervisor::scoped({.onExit = SupervisorOptions::OnExit::join})
                              .flatMap([](const Supervisor& supervisor) {
                                return direct<Do>([=] {
                                  !supervisor.spawn(Do<int>::raiseError("no such shop"), "wrong");
                                  !supervisor.spawn(askPrice("slow", 1000ms, 10), "slow");
                                });
                              });
    print("isolated", Scheduler().run(isolated).error());
    // [/isolated]
  }
  {
    // [cancel]
    const auto impatient = supervised([](const Supervisor& supervisor) {
      return direct<Do>([=] {
        const Task<int> task = !supervisor.spawn(askPrice("silent", 1000ms, 10), "silent");
        !sleep(1ms);
        !task.cancel();
        std::printf("%s has %s\n", task.name().c_str(), task.hasEnded() ? "ended" : "not ended");
        const Try<int> joined = !task.join().attempt();
        std::printf("join: %s\n",
                    errorAs<TaskCancelled>(joined.error()) ? "TaskCancelled" : "something else");
      });
    });
    print("impatient", Scheduler().run(impatient).error());
    // [/cancel]
  }
  {
    // [background]
    int beats = 0;
    const auto beat = sleep(10ms).map([&beats] { ++beats; });
    const auto work =
        background(forever(beat), "heartbeat").flatMap([](const Task<void>&) { return sleep(55ms); });
    print("work", Scheduler().run(work).error());
    std::printf("%d beats\n", beats);
    // [/background]
  }
  {
    // [dispatcher]
    int sum = 0;  // no lock: programs run one at a time
    const Event done;
    std::jthread foreign;
    const auto measuring = Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
      foreign = std::jthread([&sum, dispatcher, done] {
        for (int reading : {1, 2, 3})
          if (!dispatcher.post(Do<void>::delay([&sum, reading] { sum += reading; }))) std::puts("refused");
        std::future<int> answer = dispatcher.toFuture(Do<int>::delay([&sum] { return sum; }));
        std::printf("the foreign thread got %d\n", answer.get());
        done.set();
      });
      return done.wait();
    });
    measuring.blockingAwait();
    // [/dispatcher]
  }
  if (serveOneClient() != 0) return 1;
  // [main]
  const Do<void> program = sleep(1ms).map([] { std::puts("the program has ended"); });
  return runMain(program, {.threads = 1, .deadline = 5s});
  // [/main]
}
