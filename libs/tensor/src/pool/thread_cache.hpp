// Defines ThreadCache, the free buffers that one thread keeps for itself.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <utility>

#include "pool/shared_list.hpp"

namespace tapestry::pool {

/// Two magazines for each small class: the loaded one, and a spare that is full or missing. Trivially
/// destructible, so that it works until the very end of its thread: once closed, it keeps no buffers and
/// passes all on.
class ThreadCache {
 public:
  /// Returns null if the loaded magazine is empty; then `reload` may find a buffer.
  void* take(std::size_t sizeClass, std::size_t bytes) noexcept {
    Store& store = stores_[sizeClass];
    Buffer* const buffer = store.loaded;
    if (buffer == nullptr) return nullptr;
    store.loaded = buffer->next;
    --store.count;
    counters_.add(1, static_cast<std::ptrdiff_t>(bytes));
    return buffer;
  }

  /// Returns false if the loaded magazine is full.
  bool give(std::size_t sizeClass, void* memory, std::size_t bytes) noexcept {
    Store& store = stores_[sizeClass];
    if (store.count >= store.capacity) return false;
    store.loaded = ::new (memory) Buffer{store.loaded};
    ++store.count;
    counters_.add(-1, -static_cast<std::ptrdiff_t>(bytes));
    return true;
  }

  /// Loads the spare or a magazine of the shared list; returns false if there is none.
  bool reload(std::size_t sizeClass) noexcept;

  /// Makes room in the loaded magazine; returns false if the cache is closed.
  bool unload(std::size_t sizeClass) noexcept;

  void count(std::ptrdiff_t buffers, std::ptrdiff_t bytes) noexcept;

 private:
  enum class State : unsigned char { unused, open, closed };

  struct Store {
    Buffer* loaded = nullptr;
    Buffer* spare = nullptr;
    std::size_t count = 0;     // of the loaded magazine
    std::size_t capacity = 0;  // of a magazine, 0 unless the cache is open
  };

  bool open() noexcept;
  void close() noexcept;

  std::array<Store, threadClasses> stores_{};
  Counters counters_;
  State state_ = State::unused;
};

/// The calling thread's cache.
extern constinit thread_local ThreadCache threadCache;

}  // namespace tapestry::pool
