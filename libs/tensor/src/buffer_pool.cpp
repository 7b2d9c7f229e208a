#include <tapestry/tensor/buffer_pool.hpp>

#include <new>

#include "pool/thread_cache.hpp"

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

// Called if the thread keeps no buffer of the class, or for a large buffer, which is a magazine of its own in
// the shared list.
[[gnu::noinline]] void* allocateSlowly(std::size_t sizeClass, std::size_t bytes) {
  if (recycles && sizeClass < threadClasses && threadCache.reload(sizeClass))
    return threadCache.take(sizeClass, bytes);
  void* buffer = nullptr;
  if (recycles && sizeClass >= threadClasses && sizeClass < sharedClasses)
    buffer = SharedList::instance().take(sizeClass);
  if (buffer == nullptr) buffer = allocateFromSystem(recycles ? sizeOf(sizeClass) : bytes);
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
