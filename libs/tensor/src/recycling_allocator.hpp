// Defines RecyclingAllocator, the standard allocator for tensors' values, which uses BufferPool.
#pragma once

#include <cstddef>
#include <new>

#include <tapestry/tensor/buffer_pool.hpp>

namespace tapestry {

/// Leaves head room in front of the values, for the block that owns them: a tensor costs one allocation.
template <class T>
struct RecyclingAllocator {
  using value_type = T;

  static constexpr std::size_t headRoom = 128;
  static_assert(headRoom % BufferPool::alignment == 0);

  RecyclingAllocator() noexcept = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(BufferPool::allocate(bytes(count))) + headRoom);
  }
  void deallocate(T* values, std::size_t count) noexcept {
    BufferPool::release(headRoomOf(values), bytes(count));
  }

  static void* headRoomOf(T* values) noexcept { return reinterpret_cast<std::byte*>(values) - headRoom; }

  friend bool operator==(RecyclingAllocator, RecyclingAllocator) noexcept { return true; }

 private:
  static std::size_t bytes(std::size_t count) noexcept { return headRoom + count * sizeof(T); }
};

}  // namespace tapestry
