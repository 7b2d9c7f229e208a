// Defines allocateNode and deallocateNode, the recycling allocator of the small nodes that programs are made
// of.
#pragma once

#include <cstddef>

#include "tapestry/continuation/detail/thread_state.hpp"

namespace tapestry::detail {

void* allocateNodeSlowly(std::size_t bytes);
void deallocateNodeSlowly(void* memory, std::size_t bytes) noexcept;

/// Memory for a node, 16-byte aligned; from this thread's cache when it has some of that size. A few ns.
inline void* allocateNode(std::size_t bytes) {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  if (sizeClass < NodeCache::sizeClasses) {
    auto& list = threadState.nodes.lists[sizeClass];
    if (FreeNode* node = list.head) {
      list.head = node->next;
      --list.count;
      return node;
    }
  }
  return allocateNodeSlowly(bytes);
}

/// Gives back memory from allocateNode, on any thread; caches are bounded and overflow to a list for all
/// threads.
inline void deallocateNode(void* memory, std::size_t bytes) noexcept {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  if (sizeClass < NodeCache::sizeClasses) {
    auto& list = threadState.nodes.lists[sizeClass];
    if (list.count < threadState.nodes.limit) {
      list.head = ::new (memory) FreeNode{list.head};
      ++list.count;
      return;
    }
  }
  deallocateNodeSlowly(memory, bytes);
}

}  // namespace tapestry::detail
