// Defines SharedList, the free buffers that any thread may take, and the size classes of buffers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <mutex>

#include <tapestry/tensor/buffer_pool.hpp>

namespace tapestry::pool {

/// 64, 128, 192, 256 bytes, then four classes to each doubling, so that at most a quarter of a larger buffer
/// is unused.
constexpr std::size_t classOf(std::size_t bytes) noexcept {
  if (bytes <= 256) return (std::max<std::size_t>(bytes, 1) - 1) / 64;
  const auto bits = static_cast<std::size_t>(std::bit_width(bytes - 1));
  return 4 * (bits - 8) + (((bytes - 1) >> (bits - 3)) & 3);
}

constexpr std::size_t sizeOf(std::size_t sizeClass) noexcept {
  if (sizeClass < 4) return 64 * (sizeClass + 1);
  return (sizeClass % 4 + 5) << (sizeClass / 4 + 5);
}

static_assert(sizeOf(classOf(257)) == 320 && sizeOf(classOf(320)) == 320 && sizeOf(classOf(321)) == 384);
static_assert(sizeOf(classOf(4096)) == 4096 && sizeOf(classOf(4097)) == 5120);

/// The numbers of classes that the shared list keeps and that threads keep for themselves.
inline constexpr std::size_t sharedClasses = classOf(BufferPool::maxSharedBytes) + 1;
inline constexpr std::size_t threadClasses = classOf(std::size_t{64} << 10) + 1;

/// The size of the magazines that a thread and the shared list exchange.
inline constexpr std::size_t magazineBytes = std::size_t{64} << 10;
constexpr std::size_t magazineCapacity(std::size_t sizeClass) noexcept {
  return std::min<std::size_t>(magazineBytes / sizeOf(sizeClass), 64);
}
static_assert(2 * magazineBytes * threadClasses <= BufferPool::maxThreadBytes);

/// The content of a free buffer. A magazine is a chain of free buffers, identified by the first.
struct Buffer {
  Buffer* next = nullptr;
  Buffer* nextMagazine = nullptr;
  std::size_t count = 0;
};

void* allocateFromSystem(std::size_t bytes);
void releaseToSystem(void* buffer) noexcept;

/// The live buffers and bytes that one thread has counted; negative if it releases buffers of other threads.
/// Written by that thread and read by any: relaxed, since the sum over the threads is exact only while they
/// rest.
class Counters {
 public:
  void add(std::ptrdiff_t buffers, std::ptrdiff_t bytes) noexcept {
    buffers_.store(this->buffers() + buffers, std::memory_order_relaxed);
    bytes_.store(this->bytes() + bytes, std::memory_order_relaxed);
  }
  std::ptrdiff_t buffers() const noexcept { return buffers_.load(std::memory_order_relaxed); }
  std::ptrdiff_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

  Counters* next = nullptr;  ///< in the shared list's chain of threads

 private:
  std::atomic<std::ptrdiff_t> buffers_{0};
  std::atomic<std::ptrdiff_t> bytes_{0};
};

/// Thread-safe, and never destroyed: thread locals and static objects return their buffers at any time. A
/// thread first gets buffers that it has given itself, since these are in its caches: fetching a large buffer
/// that another processor has written costs as much as computing it.
class SharedList {
 public:
  static SharedList& instance();

  /// A magazine of the class, or null.
  Buffer* take(std::size_t sizeClass) noexcept;

  /// Keeps a magazine of `count` buffers, or returns it to the system if the bound would be exceeded.
  void give(std::size_t sizeClass, Buffer* magazine, std::size_t count) noexcept;

  /// The counters of a thread are listed while it lives; `leave` keeps their final values.
  void enter(Counters& counters) noexcept;
  void leave(Counters& counters) noexcept;

  /// Counts for a thread that has left.
  void count(std::ptrdiff_t buffers, std::ptrdiff_t bytes) noexcept;

  std::size_t total(std::ptrdiff_t (Counters::*get)() const noexcept) noexcept;

 private:
  /// Threads whose numbers are equal modulo `shelves` share a shelf.
  static constexpr std::size_t shelves = 8;
  using Shelf = std::array<Buffer*, sharedClasses>;

  static std::size_t shelfOfThread() noexcept;
  bool keep(std::size_t sizeClass, Buffer* magazine, std::size_t count) noexcept;

  std::mutex mutex_;
  std::array<Shelf, shelves> shelves_{};
  std::size_t bytes_ = 0;
  Counters departed_;
  Counters* present_ = nullptr;
};

}  // namespace tapestry::pool
