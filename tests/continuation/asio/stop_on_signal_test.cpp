#include "tapestry/continuation/asio/stop_on_signal.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::inChild;

namespace {

int exitCode(const test::Ending& ending) {
  return WIFEXITED(ending.status) ? WEXITSTATUS(ending.status) : -1;
}

[[noreturn]] void waitForEver() {
  for (;;) std::this_thread::sleep_for(1h);
}

}  // namespace

TEST_CASE("the first signal asks what has the token to stop, and is remembered") {
  const auto ending = inChild([] {
    test::Manual<int> manual;
    test::Delivery<int> delivery;
    const StopOnSignal stop;
    const bool none = stop.signal() == 0 && !stop.token().stopRequested();
    manual.program().onComplete(delivery.callback(), stop.token());
    std::raise(SIGTERM);
    if (!delivery.outcome().isCancelled() || !none) std::_Exit(1);
    std::_Exit(stop.signal());
  });
  CHECK(exitCode(ending) == SIGTERM);
  CHECK(ending.text.empty());
}

TEST_CASE("at the deadline it writes which runs hold the process up, and ends it") {
  const auto ending = inChild([] {
    test::Manual<int> manual;
    const StopOnSignal stop({.deadline = 10ms});
    manual.deaf().named("deaf").onComplete([](const Outcome<int>&) {}, stop.token());
    std::raise(SIGINT);
    waitForEver();
  });
  CHECK(exitCode(ending) == 128 + SIGINT);
  CHECK(ending.text.starts_with(
      "tapestry::StopOnSignal: signal 2 (Interrupt) came 10 ms ago, and the process ends; "
      "these runs continue:\n\"deaf\" ("));
  CHECK(ending.text.find("stop_on_signal_test.cpp") != std::string::npos);
  CHECK(ending.text.find("waits for async") != std::string::npos);
}

TEST_CASE("a second signal ends the process at once, also while the thread that makes the request is held") {
  const auto ending = inChild([] {
    test::Manual<int> manual;
    const StopOnSignal stop({.deadline = std::nullopt});
    // without an executor the finalizer runs on the thread that asks
    onStop(manual.program(), delay([] {
             std::raise(SIGTERM);
             waitForEver();
             return Errors();
           }))
        .onComplete([](const Outcome<int>&) {}, stop.token());
    std::raise(SIGINT);
    waitForEver();
  });
  CHECK(exitCode(ending) == 128 + SIGTERM);
  CHECK(
      ending.text ==
      "tapestry::StopOnSignal: signal 15 (Terminated) came after signal 2 (Interrupt), and the process ends; "
      "no run that continues has a name\n");
}

TEST_CASE("a run that the signal stops may end the scope of its StopOnSignal") {
  const auto ending = inChild([] {
    test::Manual<int> manual;
    auto stop = std::make_unique<StopOnSignal>();
    std::atomic<bool> hasEnded = false;
    const auto end = [&](const Outcome<int>&) {
      stop.reset();
      hasEnded = true;
      hasEnded.notify_one();
    };
    manual.program().onComplete(end, stop->token());
    std::raise(SIGTERM);
    hasEnded.wait(false);
    std::_Exit(7);
  });
  CHECK(exitCode(ending) == 7);
}

TEST_CASE(
    "a StopOnSignal may end on its own thread, which makes the request if there can be no other thread") {
  const auto ending = inChild([] {
    test::Manual<int> manual;
    auto stop = std::make_unique<StopOnSignal>();
    if (!test::limitThreads(2)) std::_Exit(7);
    std::atomic<bool> hasEnded = false;
    const auto end = [&](const Outcome<int>&) {
      stop.reset();
      hasEnded = true;
      hasEnded.notify_one();
    };
    manual.program().onComplete(end, stop->token());
    std::raise(SIGTERM);
    hasEnded.wait(false);
    std::this_thread::sleep_for(50ms);  // the thread ends
    std::_Exit(7);
  });
  CHECK(exitCode(ending) == 7);
}

TEST_CASE("a StopOnSignal that is destroyed before the deadline does not end the process") {
  // the longer the deadline, the surer the object is destroyed before it, however busy the machine is
  const auto survives = [](std::chrono::milliseconds deadline) {
    const auto ending = inChild([&] {
      {
        const StopOnSignal stop({.signals = {SIGUSR1}, .deadline = deadline});
        std::raise(SIGUSR1);
        while (stop.signal() == 0) std::this_thread::yield();
      }
      std::this_thread::sleep_for(deadline + 40ms);
      std::_Exit(7);
    });
    return exitCode(ending) == 7;
  };
  CHECK((survives(20ms) || survives(200ms) || survives(2s)));
}

TEST_CASE("a signal that cannot be handled, and a deadline in the past, are refused") {
  CHECK_THROWS_WITH_AS(
      StopOnSignal({.signals = {SIGKILL}}),
      "tapestry::StopOnSignal: the signal cannot be handled, got 9, expected ones such as SIGINT "
      "and SIGTERM",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      StopOnSignal({.deadline = -1ns}),
      "tapestry::StopOnSignal: the deadline is before the signal, got -1 ns, expected at least 0",
      std::invalid_argument);
}
