// Defines the size classes of recycled buffers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

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

}  // namespace tapestry::pool
