// Defines BatchGate, the requests that one call serves, and BatchEntry, one run's request.
#pragma once

#include <cstddef>

#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class BatchGate;

/// In the batch's list, which holds a reference, until its run leaves before the call has taken the list, or
/// until the call has ended.
class BatchEntry : public Waiter {
 public:
  explicit BatchEntry(Ref<BatchGate> batch) noexcept;
  ~BatchEntry() override;

  BatchGate& batch() const noexcept { return *batch_; }
  /// For a run that has been asked to stop: takes it out of the batch; false if the batch has ended before.
  bool depart() noexcept;

 private:
  friend BatchGate;
  bool enter() noexcept final;
  void left() noexcept final { depart(); }

  const Ref<BatchGate> batch_;
  // guarded by the batch's lock
  BatchEntry* previous_ = nullptr;
  BatchEntry* next_ = nullptr;
  bool departed_ = false;
};

/// A separate run, on behalf of all requests that joined before the batch was full, or its time was over.
/// When all requests have left, it is asked to stop.
class BatchGate : public DetachedRun {
 public:
  BatchGate(const Run& starter, std::size_t size) noexcept : DetachedRun(starter), size_(size) {}
  ~BatchGate() override;

  /// Adds a request; false if the batch takes no more.
  [[nodiscard]] bool join(BatchEntry& entry) noexcept;

  /// For the run: closes the batch, and returns the first request of a list, which `next` walks in the order
  /// of arrival; requests that leave from now on stay in that list.
  BatchEntry* take() noexcept;
  static BatchEntry* next(const BatchEntry& entry) noexcept { return entry.next_; }

  /// For the run, when each request of the list has its result: wakes the requests.
  void end() noexcept;

  const Event full;

 private:
  friend BatchEntry;
  bool depart(BatchEntry& entry) noexcept;

  enum class Phase : unsigned char { open, closed, taken, ended };

  const std::size_t size_;
  WaitQueue queue_;  ///< its lock guards the following members
  Phase phase_ = Phase::open;
  std::size_t live_ = 0;  ///< requests that have joined and not left
  BatchEntry* first_ = nullptr;
  BatchEntry* last_ = nullptr;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
