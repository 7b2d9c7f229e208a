#include "pool/shared_list.hpp"

#include <cstdint>
#include <new>
#include <utility>

namespace tapestry::pool {

void* allocateFromSystem(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX) throw std::bad_alloc();  // what the system rounds up could wrap to 0
  return ::operator new(bytes, std::align_val_t{BufferPool::alignment});
}

void releaseToSystem(void* buffer) noexcept {
  ::operator delete(buffer, std::align_val_t{BufferPool::alignment});
}

SharedList& SharedList::instance() {
  static auto& list = *new SharedList;
  return list;
}

std::size_t SharedList::shelfOfThread() noexcept {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t shelf = threads.fetch_add(1, std::memory_order_relaxed) % shelves;
  return shelf;
}

Buffer* SharedList::take(std::size_t sizeClass) noexcept {
  const std::size_t own = shelfOfThread();
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < shelves; ++i) {
    Buffer*& magazines = shelves_[(own + i) % shelves][sizeClass];
    if (magazines == nullptr) continue;
    Buffer* const magazine = std::exchange(magazines, magazines->nextMagazine);
    bytes_ -= magazine->count * sizeOf(sizeClass);
    return magazine;
  }
  return nullptr;
}

void SharedList::give(std::size_t sizeClass, Buffer* magazine, std::size_t count) noexcept {
  if (keep(sizeClass, magazine, count)) return;
  while (magazine != nullptr) releaseToSystem(std::exchange(magazine, magazine->next));
}

bool SharedList::keep(std::size_t sizeClass, Buffer* magazine, std::size_t count) noexcept {
  const std::size_t bytes = count * sizeOf(sizeClass);
  Shelf& shelf = shelves_[shelfOfThread()];
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > BufferPool::maxSharedBytes) return false;
  bytes_ += bytes;
  magazine->count = count;
  magazine->nextMagazine = std::exchange(shelf[sizeClass], magazine);
  return true;
}

void SharedList::enter(Counters& counters) noexcept {
  const std::lock_guard lock(mutex_);
  counters.next = std::exchange(present_, &counters);
}

void SharedList::leave(Counters& counters) noexcept {
  const std::lock_guard lock(mutex_);
  departed_.add(counters.buffers(), counters.bytes());
  Counters** link = &present_;
  while (*link != &counters) link = &(*link)->next;
  *link = counters.next;
}

void SharedList::count(std::ptrdiff_t buffers, std::ptrdiff_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  departed_.add(buffers, bytes);
}

std::size_t SharedList::total(std::ptrdiff_t (Counters::*get)() const noexcept) noexcept {
  const std::lock_guard lock(mutex_);
  std::ptrdiff_t sum = (departed_.*get)();
  for (const Counters* each = present_; each != nullptr; each = each->next) sum += (each->*get)();
  return static_cast<std::size_t>(sum);
}

}  // namespace tapestry::pool
