// Defines HandOver, by which a task reaches a thread that is still awake.
#pragma once

#include <atomic>

#include "../awake.hpp"
#include "tapestry/continuation/detail/program.hpp"

namespace tapestry::detail {

/// A place where one thread at a time waits for a task without sleeping. To wake one that sleeps takes a
/// system call and, until it runs, often longer than the task.
class HandOver {
 public:
  /// False if no thread waits here.
  bool give(Task& task) noexcept {
    Task* place = vacant();
    return place_.load(std::memory_order_relaxed) == place && place_.compare_exchange_strong(place, &task);
  }

  /// The task that is given within `awakeFor`, or null: also as soon as `queued` is not 0, and where another
  /// thread waits already.
  Task* await(const std::atomic<int>& queued) noexcept {
    Task* nobody = nullptr;
    if (queued.load() != 0 || !place_.compare_exchange_strong(nobody, vacant())) return nullptr;
    stayAwakeUntil([&] { return place_.load() != vacant() || queued.load() != 0; });
    Task* const place = place_.exchange(nullptr);
    return place == vacant() ? nullptr : place;
  }

 private:
  /// Stands for: a thread waits. No task has this address.
  Task* vacant() noexcept { return reinterpret_cast<Task*>(this); }

  alignas(64) std::atomic<Task*> place_{nullptr};
};

}  // namespace tapestry::detail
