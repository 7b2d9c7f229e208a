// Defines ByThread, items that threads take, each thread first the items whose data are in its cache, and
// thisThread.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace tapestry::detail {

/// Identifies the calling thread.
inline const void* thisThread() noexcept {
  static constinit thread_local char address = 0;
  return &address;
}

/// Items in a group for each thread that has computed their data. As many calls of take as there are items
/// return each item once.
template <class T, template <class> class Atomic = std::atomic>
class ByThread {
 public:
  /// Must not be called while other threads take items.
  void add(T item, const void* thread) {
    for (Group& group : groups_)
      if (group.thread == thread) return group.items.push_back(std::move(item));
    groups_.emplace_back(thread).items.push_back(std::move(item));
  }

  /// Returns an item of the thread, the caller, or, if none is left, an item of another thread. Precondition:
  /// an item is left for each caller. Thread-safe.
  T& take(const void* thread) noexcept {
    for (Group& group : groups_)
      if (group.thread == thread)
        if (T* const item = group.take()) return *item;
    for (;;)
      for (Group& group : groups_)
        if (T* const item = group.take()) return *item;
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

  std::deque<Group> groups_;  ///< a deque, since groups do not move
};

}  // namespace tapestry::detail
