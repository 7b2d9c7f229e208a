// Defines BufferPool, which recycles the memory of tensors.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)
namespace tapestry {

/// Aligned buffers by size class. A thread keeps the small buffers that it releases, up to a bound per class,
/// and passes all others to a list that all threads share; the list is bounded too, and buffers beyond its
/// bound go back to the system. Any thread may release a buffer, also after the end of main or after the
/// destruction of the thread's locals. Under AddressSanitizer no buffer is kept, so that a use after free is
/// detected.
class BufferPool {
 public:
  /// The alignment of every buffer in bytes: the size of a cache line and of an AVX-512 vector.
  static constexpr std::size_t alignment = 64;

  /// Returns an uninitialised buffer of at least `bytes`. Throws std::bad_alloc. Takes a few nanoseconds if
  /// the thread keeps a buffer of that class.
  static void* allocate(std::size_t bytes);

  /// Releases a buffer that `allocate(bytes)` returned.
  static void release(void* buffer, std::size_t bytes) noexcept;

  /// The number of buffers that all threads have allocated and not released, and the number of bytes
  /// requested for them. Exact while no thread allocates or releases. Takes O(threads); meant for tests.
  static std::size_t liveBuffers() noexcept;
  static std::size_t liveBytes() noexcept;

  /// Upper bounds of the bytes that the shared list keeps and of the bytes that each thread keeps.
  static constexpr std::size_t maxSharedBytes = std::size_t{64} << 20;
  static constexpr std::size_t maxThreadBytes = std::size_t{8} << 20;
};

}  // namespace tapestry
#pragma GCC visibility pop
