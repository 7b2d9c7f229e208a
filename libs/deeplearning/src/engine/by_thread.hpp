// Defines ByThread, items that threads take, each thread its own items first, and thisThread.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <utility>
#include <vector>

namespace tapestry::detail {

/// Identifies the calling thread.
inline const void* thisThread() noexcept {
  static constinit thread_local char address = 0;
  return &address;
}

/// Items, grouped by the thread that has computed their data. If take is called once for each item, each call
/// returns a different item.
template <class T, template <class> class Atomic = std::atomic>
class ByThread {
 public:
  /// Must not be called while other threads take items.
  void add(T item, const void* thread) {
    ++size_;
    for (Group& group : groups_)
      if (group.thread == thread) return group.items.push_back(std::move(item));
    groups_.emplace_back(thread).items.push_back(std::move(item));
  }

  /// The number of items that were added.
  std::size_t size() const noexcept { return size_; }

  /// Returns an item of `thread`, the calling thread, or, if none is left, an item of another thread.
  /// Precondition: take has been called less often than there are items. Thread-safe.
  T& take(const void* thread) noexcept {
    for (Group& group : groups_)
      if (group.thread == thread)
        if (T* const item = group.take()) return *item;
    for (Group& group : groups_)
      if (T* const item = group.take()) return *item;
    std::terminate();  // the precondition is violated
  }

 private:
  struct Group {
    explicit Group(const void* itsThread) noexcept : thread(itsThread) {}

    T* take() noexcept {
      // relaxed: the items do not change while threads take them
      const std::size_t index = taken.fetch_add(1, std::memory_order_relaxed);
      return index < items.size() ? &items[index] : nullptr;
    }

    const void* const thread;
    std::vector<T> items;
    Atomic<std::size_t> taken{0};
  };

  std::size_t size_ = 0;
  std::deque<Group> groups_;  ///< a deque, since groups do not move
};

}  // namespace tapestry::detail
