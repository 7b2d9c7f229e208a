#include "pool/thread_cache.hpp"

namespace tapestry::pool {

constinit thread_local ThreadCache threadCache;

bool ThreadCache::open() noexcept {
  if (state_ != State::unused) return state_ == State::open;
  struct Closer {
    ~Closer() { threadCache.close(); }
  };
  static thread_local const Closer closeAtExit;
  for (std::size_t sizeClass = 0; sizeClass < threadClasses; ++sizeClass)
    stores_[sizeClass].capacity = magazineCapacity(sizeClass);
  SharedList::instance().enter(counters_);
  state_ = State::open;
  return true;
}

void ThreadCache::close() noexcept {
  auto& shared = SharedList::instance();
  for (std::size_t sizeClass = 0; sizeClass < threadClasses; ++sizeClass) {
    const Store store = std::exchange(stores_[sizeClass], {});
    if (store.loaded != nullptr) shared.give(sizeClass, store.loaded, store.count);
    if (store.spare != nullptr) shared.give(sizeClass, store.spare, store.capacity);
  }
  shared.leave(counters_);
  state_ = State::closed;
}

bool ThreadCache::reload(std::size_t sizeClass) noexcept {
  if (!open()) return false;
  Store& store = stores_[sizeClass];
  if (store.spare != nullptr) {
    store.loaded = std::exchange(store.spare, nullptr);
    store.count = store.capacity;
    return true;
  }
  store.loaded = SharedList::instance().take(sizeClass);
  if (store.loaded == nullptr) return false;
  store.count = store.loaded->count;
  return true;
}

bool ThreadCache::unload(std::size_t sizeClass) noexcept {
  if (!open()) return false;
  Store& store = stores_[sizeClass];
  if (store.count < store.capacity) return true;
  if (store.spare != nullptr) SharedList::instance().give(sizeClass, store.spare, store.capacity);
  store.spare = std::exchange(store.loaded, nullptr);
  store.count = 0;
  return true;
}

void ThreadCache::count(std::ptrdiff_t buffers, std::ptrdiff_t bytes) noexcept {
  if (!open()) return SharedList::instance().count(buffers, bytes);
  counters_.add(buffers, bytes);
}

}  // namespace tapestry::pool
