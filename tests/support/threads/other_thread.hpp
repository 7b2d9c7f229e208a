// Defines OtherThread, a foreign thread that completes callbacks.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "tapestry/raii/do.hpp"

namespace tapestry::test {

/// Does what it is given, in order, until it is destroyed.
class OtherThread {
 public:
  OtherThread() : thread_([this] { work(); }) {}
  ~OtherThread() {
    post(nullptr);
    thread_.join();
  }
  OtherThread(const OtherThread&) = delete;
  OtherThread& operator=(const OtherThread&) = delete;

  void post(std::function<void()> function) {
    const std::lock_guard lock(mutex_);
    functions_.push_back(std::move(function));
    changed_.notify_one();
  }

  /// Waits until this thread calls back, where the run then continues.
  Do<void> hop() {
    return Do<void>::async([this](Callback<Try<void>> callback) {
      post([callback = std::move(callback)] { callback(Try<void>::success(Unit{})); });
    });
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !functions_.empty(); });
        next = std::move(functions_.front());
        functions_.pop_front();
      }
      if (!next) return;
      next();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> functions_;
  std::thread thread_;
};

}  // namespace tapestry::test
