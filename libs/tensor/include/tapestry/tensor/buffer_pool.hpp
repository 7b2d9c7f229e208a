// Defines BufferPool, which recycles the memory of tensors.
#pragma once

#include <cstddef>

namespace tapestry {

/// Aligned buffers by size class. A thread keeps the small ones that it returns, up to a bound per class, and
/// passes the rest on to a list that all threads share, which is bounded too; what exceeds it goes back to
/// the system. So any thread may return a buffer, and after the end of main or of the thread's locals. Under
/// AddressSanitizer nothing is kept, so that a use after free is seen.
class BufferPool {
 public:
  /// Of every buffer, in bytes: a cache line, and a vector of AVX-512.
  static constexpr std::size_t alignment = 64;

  /// A buffer of at least `bytes`, uninitialised. Throws std::bad_alloc. A few nanoseconds if the thread
  /// has one in store.
  static void* allocate(std::size_t bytes);

  /// Takes back what `allocate(bytes)` returned.
  static void release(void* buffer, std::size_t bytes) noexcept;

  /// The buffers that have been allocated and not released, over all threads, and the bytes asked for in
  /// them. Exact when no thread is allocating. O(threads): for tests.
  static std::size_t liveBuffers() noexcept;
  static std::size_t liveBytes() noexcept;

  /// An upper bound of the bytes that the shared list keeps, and of those that each thread keeps.
  static constexpr std::size_t maxSharedBytes = std::size_t{64} << 20;
  static constexpr std::size_t maxThreadBytes = std::size_t{8} << 20;
};

}  // namespace tapestry
