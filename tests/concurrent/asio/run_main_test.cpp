#include "tapestry/concurrent/asio/run_main.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include "support/callable.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/stop_token.hpp"
#include "tapestry/continuation/track_runs.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/asio/as_do.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::inChild;

namespace {

/// Raises the signal while another run waits, and writes when what it holds is released.
Do<void> stoppedBy(int signal) {
  return resource(Do<void>::now(), [] { std::cerr << "released\n"; }).flatMap([signal] {
    std::raise(signal);
    return Event().wait();
  });
}

int exitCode(const test::Ending& ending) {
  return WIFEXITED(ending.status) ? WEXITSTATUS(ending.status) : -1;
}

}  // namespace

TEST_CASE("the exit code is what a Do<int> yields, and 0 for a Do<void>") {
  CHECK(runMain(Do<int>::now(42)) == 42);
  CHECK(runMain(Do<void>::now()) == 0);
}

TEST_CASE("the program runs on separate threads, on the executor, or on the io_context") {
  const auto here = std::this_thread::get_id();
  const auto elsewhere = Do<int>::delay([here] { return std::this_thread::get_id() == here ? 1 : 2; });
  CHECK(runMain(elsewhere, {.threads = 1}) == 2);

  ThreadPool pool(1);
  CHECK(runMain(Do<int>::delay([&] { return pool.isHere() ? 3 : 4; }), pool) == 3);

  asio::io_context context;
  asio::steady_timer timer(context, 1ms);
  const auto waits = timer.async_wait(asDo).map([] { return 5; });
  CHECK(runMain(waits, context) == 5);
  CHECK(runMain(waits, context, {.threads = 2}) == 5);  // the context was stopped meanwhile
}

TEST_CASE("an error is written with its trace, and gives 1") {
  const auto ending = inChild([] {
    const auto program = Do<int>::delay([]() -> int { throw std::runtime_error("no such file"); });
    std::_Exit(runMain(program));
  });
  CHECK(exitCode(ending) == 1);
  CHECK(ending.text.starts_with("no such file\n  raised in delay ("));
  CHECK(ending.text.find("passed \"main\" (") != std::string::npos);
  CHECK(ending.text.find("onComplete") == std::string::npos);
}

TEST_CASE("a program that is stopped by a signal releases, and gives 128 + signal") {
  const auto interrupted = inChild([] { std::_Exit(runMain(stoppedBy(SIGINT))); });
  CHECK(exitCode(interrupted) == 128 + SIGINT);
  CHECK(interrupted.text == "released\n");

  const auto onContext = inChild([] {
    asio::io_context context;
    std::_Exit(runMain(stoppedBy(SIGTERM), context));
  });
  CHECK(exitCode(onContext) == 128 + SIGTERM);
  CHECK(onContext.text == "released\n");
}

TEST_CASE("a program that a signal stops gives the code of the options, and an error gives 1 nevertheless") {
  const auto stopped = inChild([] { std::_Exit(runMain(stoppedBy(SIGTERM), {.stoppedCode = 0})); });
  CHECK(exitCode(stopped) == 0);
  CHECK(stopped.text == "released\n");

  const auto failing = inChild([] {
    const auto release = Do<void>::delay([] { throw std::runtime_error("no release"); });
    std::_Exit(runMain(ensure(stoppedBy(SIGTERM), release), {.stoppedCode = 0}));
  });
  CHECK(exitCode(failing) == 1);
}

TEST_CASE("masked work continues to its end after a signal, and the request is seen then") {
  const auto ending = inChild([] {
    const auto work = Do<StopToken>::lift(stopToken()).flatMap([](const StopToken& outside) {
      return mask(Do<void>::delay([outside] {
        std::raise(SIGINT);
        while (!outside.stopRequested()) std::this_thread::yield();
        std::cerr << "done\n";
      }));
    });
    std::_Exit(runMain(work));
  });
  CHECK(exitCode(ending) == 128 + SIGINT);
  CHECK(ending.text == "done\n");
}

TEST_CASE("at the deadline the runs that hold the program up are written, by name and place") {
  const auto deaf = mask(Event().wait()).named("deaf");
  const auto ending = inChild([&] {
    const auto raising = Do<void>::delay([] { std::raise(SIGINT); });
    const auto both = tuple2(parallel(deaf), parallel(raising)).map([](const auto&) {});
    std::_Exit(runMain(both, {.threads = 1, .deadline = 10ms}));
  });
  CHECK(exitCode(ending) == 128 + SIGINT);
  CHECK(ending.text.find("came 10 ms ago") != std::string::npos);
  CHECK(ending.text.find("\"main\" (") != std::string::npos);
  CHECK(ending.text.find("\"deaf\" (") != std::string::npos);
  CHECK(ending.text.find("run_main_test.cpp") != std::string::npos);
  CHECK(ending.text.find("waits for Event::wait") != std::string::npos);
}

TEST_CASE(
    "a second signal ends a program that hangs, whose runs are listed only by name where tracking is off") {
  const auto ending = inChild([] {
    RunMainOptions options;
    options.deadline = std::nullopt;
    options.trackRuns = false;
    std::_Exit(runMain(Do<void>::suspend([] {
                         std::raise(SIGINT);
                         std::thread([] {
                           std::this_thread::sleep_for(20ms);
                           std::raise(SIGTERM);
                         }).detach();
                         return mask(Event().wait());
                       }),
                       options));
  });
  CHECK(exitCode(ending) == 128 + SIGTERM);
  CHECK(ending.text.find("signal 15 (Terminated) came after signal 2 (Interrupt)") != std::string::npos);
  CHECK(ending.text.find("\"main\" (") != std::string::npos);
}

TEST_CASE("runs that were tracked before runMain are tracked after it") {
  const auto ending = inChild([] {
    trackRuns(true);
    static_cast<void>(runMain(Do<void>::now()));
    std::cerr << (trackRuns(false) ? "tracked" : "not tracked");
    std::_Exit(0);
  });
  CHECK(ending.text == "tracked");
}

TEST_CASE("wrong options, a context that is stopped too early, and a program that cancels itself give 1") {
  const auto wrong = inChild([] { std::_Exit(runMain(Do<void>::now(), {.signals = {SIGKILL}})); });
  CHECK(exitCode(wrong) == 1);
  CHECK(wrong.text.starts_with("tapestry::StopOnSignal: the signal cannot be handled, got 9"));

  const auto stopped = inChild([] {
    asio::io_context context;
    std::_Exit(runMain(Do<void>::suspend([&] {
                         context.stop();
                         return Event().wait();
                       }),
                       context));
  });
  CHECK(exitCode(stopped) == 1);
  CHECK(stopped.text.find("was stopped before the program had ended") != std::string::npos);

  const auto cancelled =
      inChild([] { std::_Exit(runMain(Do<int>::delay([]() -> int { throw Cancelled(); }))); });
  CHECK(exitCode(cancelled) == 1);
  CHECK(cancelled.text == "tapestry::runMain: the program was cancelled, and not by a signal\n");
}

TEST_CASE("runMain is refused what yields no exit code") {
  static_assert(!TAPESTRY_CALLABLE(runMain, Do<std::string>));
  static_assert(!TAPESTRY_CALLABLE(runMain, int));
  static_assert(TAPESTRY_CALLABLE(runMain, Do<void>));
  static_assert(TAPESTRY_CALLABLE(runMain, Do<int>, asio::io_context&));
  static_assert(TAPESTRY_CALLABLE(runMain, Do<int>, ThreadPool&, RunMainOptions));
}
