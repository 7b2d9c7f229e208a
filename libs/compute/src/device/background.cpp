#include "device/background.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <utility>

#include <tapestry/continuation/blocking.hpp>
#include <tapestry/continuation/extend/task.hpp>

namespace tapestry::detail {

namespace {

/// A run that starts on a thread for blocking calls would begin in place, and wait for the function that the
/// thread executes.
class BackgroundTask final : public extend::Task {
 public:
  explicit BackgroundTask(std::function<void()> work) noexcept : work_(std::move(work)) {}

  void execute() noexcept override {
    const std::unique_ptr<BackgroundTask> owner(this);
    work_();
  }
  void refuse() noexcept override { delete this; }

 private:
  std::function<void()> work_;
};

/// The number of marks.
constinit std::atomic<int> awaitedAtExit{0};

void awaitMarks() {
  while (const int marks = awaitedAtExit) awaitedAtExit.wait(marks);
}

}  // namespace

bool inBackground(std::function<void()> work) {
  auto task = std::make_unique<BackgroundTask>(std::move(work));
  if (!blockingThreads().post(*task)) return false;
  static_cast<void>(task.release());  // the thread owns it
  return true;
}

void inBackgroundOrHere(std::function<void()> work) {
  BackgroundTask* const task = new BackgroundTask(std::move(work));
  if (!blockingThreads().post(*task)) task->execute();
}

void awaitMarksAtExit() { std::atexit(awaitMarks); }

AwaitedAtExit::AwaitedAtExit() noexcept { ++awaitedAtExit; }

AwaitedAtExit::~AwaitedAtExit() {
  --awaitedAtExit;
  awaitedAtExit.notify_all();
}

}  // namespace tapestry::detail
