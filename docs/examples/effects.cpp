// The effects that the tutorial shows beside the first programs: time, races, traversals, Asio, names.
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <ranges>
#include <sstream>
#include <tapestry/asio.hpp>
#include <tapestry/continuation/parallel/par_traverse.hpp>
#include <tapestry/continuation/parallel/race.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/timeout.hpp>

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;

int main() {
  {
    // [race]
    auto quick = sleepFor(1ms).map([] { return 1; });
    auto slow = sleepFor(1h).map([] { return 2; });
    std::printf("branch %zu won\n", race(quick, slow).blockingAwait().index());
    // [/race]
  }
  {
    // [traverse]
    auto square = [](int x) { return sleepFor(1ms).map([=] { return x * x; }); };
    for (int x : parTraverse(std::views::iota(1, 6), 2, square).blockingAwait()) std::printf("%d\n", x);
    // [/traverse]
  }
  {
    // [asio]
    asio::io_context context;
    AsioExecutor executor(context);
    asio::steady_timer timer(context, 1ms);
    Do<int> program = timeout(timer.async_wait(asDo), 1h).map([] { return 3; });
    asyncRun(program, executor, asio::bind_executor(context, [](const std::exception_ptr& error, int value) {
               std::printf("%s %d\n", error ? "failed" : "got", value);
             }));
    context.run();
    // [/asio]
  }
  {
    // [named]
    StopSource source;
    sleepFor(1h).named("nap").onComplete([](const Outcome<void>&) {}, source.token());
    std::ostringstream runs;
    dumpRuns(runs);  // "nap" (effects.cpp:50): waits for sleepFor (effects.cpp:50)
    source.requestStop();
    // [/named]
    std::puts(runs.str().starts_with("\"nap\" (") ? "the nap was listed" : "nothing was listed");
  }
}
