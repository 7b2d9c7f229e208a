#include "device/memory_pool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <tapestry/compute/device_error.hpp>

namespace tapestry::detail {

MemoryPool::MemoryPool(extend::DeviceDriver& driver, std::string device, std::uint64_t limit)
    : driver_(driver), device_(std::move(device)), limit_(limit) {}

std::size_t MemoryPool::capacityFor(std::size_t bytes) noexcept {
  const std::size_t power = std::bit_ceil(std::max<std::size_t>(bytes, 256));
  const std::size_t step = std::max<std::size_t>(power / 16, 256);
  return (bytes + step - 1) / step * step + (bytes == 0 ? 256 : 0);
}

bool MemoryPool::takeRecycled(Piece& piece) {
  const std::lock_guard lock(mutex_);
  const auto list = recycled_.find(piece.capacity);
  if (list == recycled_.end() || list->second.empty()) return false;
  piece.memory = list->second.back();
  list->second.pop_back();
  usage_.recycledBytes -= piece.capacity;
  ++usage_.buffers;
  usage_.bytes += piece.capacity;
  return true;
}

MemoryPool::Piece MemoryPool::take(std::size_t bytes) {
  const std::uint64_t largest = driver_.properties().largestBuffer;
  const std::uint64_t used = usage().bytes, room = limit_ - used;
  Piece piece{nullptr, capacityFor(bytes)};
  if (const std::uint64_t most = largest == 0 ? room : std::min(largest, room);
      std::max<std::size_t>(bytes, 1) <= most)
    piece.capacity = std::min<std::size_t>(piece.capacity, most);
  if (takeRecycled(piece)) return piece;
  if (largest != 0 && piece.capacity > largest)
    throw DeviceMemoryError("tapestry::" + device_ + ": no buffer of " + std::to_string(bytes) +
                            " bytes: the largest that the device has is " + std::to_string(largest) +
                            ", expected smaller tensors");
  if (piece.capacity > room) {
    throw DeviceMemoryError("tapestry::" + device_ + ": no memory for a buffer of " + std::to_string(bytes) +
                            " bytes: " + std::to_string(used) + " bytes are in use, and the limit is " +
                            std::to_string(limit_) + ", expected smaller tensors or a higher memoryLimit");
  }
  trim(room - piece.capacity);
  {
    const std::lock_guard lock(mutex_);
    recycled_.try_emplace(piece.capacity);  // before the memory, which nobody would own if this failed
  }
  piece.memory = allocate(piece.capacity);
  const std::lock_guard lock(mutex_);
  ++usage_.buffers;
  usage_.bytes += piece.capacity;
  return piece;
}

extend::DeviceMemory MemoryPool::allocate(std::size_t capacity) {
  try {
    return driver_.allocate(capacity);
  } catch (const DeviceMemoryError&) {
    trim();
    return driver_.allocate(capacity);
  }
}

void MemoryPool::give(Piece piece) noexcept {
  const std::lock_guard lock(mutex_);
  --usage_.buffers;
  usage_.bytes -= piece.capacity;
  recycled_[piece.capacity].push_back(piece.memory);
  usage_.recycledBytes += piece.capacity;
}

void MemoryPool::trim(std::uint64_t keep) noexcept {
  const std::lock_guard lock(mutex_);
  // the largest first, so that few calls of the driver are enough
  for (auto list = recycled_.rbegin(); list != recycled_.rend(); ++list) {
    while (usage_.recycledBytes > keep && !list->second.empty()) {
      driver_.release(list->second.back());
      list->second.pop_back();
      usage_.recycledBytes -= list->first;
    }
  }
}

MemoryPool::Usage MemoryPool::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

}  // namespace tapestry::detail
