#include <tapestry/tensor/buffer_pool.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <utility>

#include "pool/shared_list.hpp"

namespace tapestry {

namespace {

using namespace pool;

#if defined(__SANITIZE_ADDRESS__)
#define TAPESTRY_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAPESTRY_ADDRESS_SANITIZER
#endif
#endif

#ifdef TAPESTRY_ADDRESS_SANITIZER
constexpr bool recycles = false;
#else
constexpr bool recycles = true;
#endif

/// The free buffers that one thread keeps for itself: two magazines for each small class, the loaded one, and
/// a spare that is full or missing. Trivially destructible, so that it works until the very end of its
/// thread: once closed, it keeps no buffers and passes all on.
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

// Called if the thread keeps no buffer of the class, or for a large buffer, which is a magazine of its own in
// the shared list.
[[gnu::noinline]] void* allocateSlowly(std::size_t sizeClass, std::size_t bytes) {
  if (recycles && sizeClass < threadClasses && threadCache.reload(sizeClass))
    return threadCache.take(sizeClass, bytes);
  void* buffer = nullptr;
  if (recycles && sizeClass >= threadClasses && sizeClass < sharedClasses)
    buffer = SharedList::instance().take(sizeClass);
  if (buffer == nullptr)
    buffer = allocateFromSystem(recycles && sizeClass < sharedClasses ? sizeOf(sizeClass) : bytes);
  threadCache.count(1, static_cast<std::ptrdiff_t>(bytes));
  return buffer;
}

[[gnu::noinline]] void releaseSlowly(std::size_t sizeClass, void* buffer, std::size_t bytes) noexcept {
  if (recycles && sizeClass < threadClasses && threadCache.unload(sizeClass)) {
    threadCache.give(sizeClass, buffer, bytes);
    return;
  }
  threadCache.count(-1, -static_cast<std::ptrdiff_t>(bytes));
  if (recycles && sizeClass < sharedClasses)
    SharedList::instance().give(sizeClass, ::new (buffer) Buffer{}, 1);
  else
    releaseToSystem(buffer);
}

}  // namespace

void* BufferPool::allocate(std::size_t bytes) {
  const std::size_t sizeClass = classOf(bytes);
  if (recycles && sizeClass < threadClasses)
    if (void* const buffer = threadCache.take(sizeClass, bytes)) return buffer;
  return allocateSlowly(sizeClass, bytes);
}

void BufferPool::release(void* buffer, std::size_t bytes) noexcept {
  const std::size_t sizeClass = classOf(bytes);
  if (recycles && sizeClass < threadClasses && threadCache.give(sizeClass, buffer, bytes)) return;
  releaseSlowly(sizeClass, buffer, bytes);
}

std::size_t BufferPool::liveBuffers() noexcept { return SharedList::instance().total(&Counters::buffers); }
std::size_t BufferPool::liveBytes() noexcept { return SharedList::instance().total(&Counters::bytes); }

}  // namespace tapestry
