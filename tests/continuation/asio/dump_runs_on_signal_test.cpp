#include "tapestry/continuation/asio/dump_runs_on_signal.hpp"

#include <doctest/doctest.h>

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;

namespace {

/// A stream whose text others wait for, until it is flushed.
class FlushedText : private std::stringbuf, public std::ostream {
 public:
  FlushedText() : std::ostream(static_cast<std::stringbuf*>(this)) {}
  std::string next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return flushed_.has_value(); });
    return *std::exchange(flushed_, std::nullopt);
  }

 private:
  int sync() override {
    const std::lock_guard lock(mutex_);
    flushed_ = str();
    str("");
    changed_.notify_one();
    return 0;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> flushed_;
};

}  // namespace

TEST_CASE("the runs are written for each signal while it lives") {
  test::Manual<int> manual;
  test::Delivery<int> delivery;
  manual.program().named("hangs").onComplete(delivery.callback());
  FlushedText out;
  {
    const DumpRunsOnSignal dumps(SIGUSR1, out);
    CHECK(std::raise(SIGUSR1) == 0);
    CHECK(out.next().starts_with("\"hangs\" ("));
    manual.take()(1);
    CHECK(std::raise(SIGUSR1) == 0);
    CHECK(out.next().empty());
  }
  const DumpRunsOnSignal again(SIGUSR1, out);
  CHECK(std::raise(SIGUSR1) == 0);
  CHECK(out.next().empty());
}

TEST_CASE("a signal that cannot be handled is refused") {
  CHECK_THROWS_WITH_AS(
      DumpRunsOnSignal{SIGKILL},
      "tapestry::DumpRunsOnSignal: the signal cannot be handled, got 9, expected one such as "
      "SIGUSR1",
      std::invalid_argument);
}
