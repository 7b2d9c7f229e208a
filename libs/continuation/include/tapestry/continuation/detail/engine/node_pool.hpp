// Defines allocateNode and deallocateNode, the recycling allocator of the small nodes of programs, and
// Pooled, the base of classes that use it.
#pragma once

#include <cstddef>
#include <new>

#include "tapestry/continuation/detail/engine/thread_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

void* allocateNodeSlowly(std::size_t bytes);
void deallocateNodeSlowly(void* memory, std::size_t bytes) noexcept;

/// Allocates memory for a node, 16-byte aligned, from this thread's cache if it has a node of that size.
/// Cost: a few ns.
inline void* allocateNode(std::size_t bytes) {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  if (sizeClass < NodeCache::sizeClasses)
    if (FreeNode* const node = threadState.nodes.lists[sizeClass].pop()) return node;
  return allocateNodeSlowly(bytes);
}

/// Frees memory from allocateNode, on any thread; caches are bounded and overflow to a list for all threads.
inline void deallocateNode(void* memory, std::size_t bytes) noexcept {
  const std::size_t sizeClass = NodeCache::sizeClassOf(bytes);
  if (sizeClass < NodeCache::sizeClasses) {
    auto& list = threadState.nodes.lists[sizeClass];
    if (list.count < threadState.nodes.limit) return list.push(memory);
  }
  deallocateNodeSlowly(memory, bytes);
}

class Pooled {
 public:
  // None of these is to be inlined into blocks of direct style, which may change threads: compilers assume
  // that the address of a thread-local variable is constant within a function.
  [[gnu::noinline]] static void* operator new(std::size_t bytes) { return allocateNode(bytes); }
  /// As operator new; computes the place in the cache at compile time.
  template <std::size_t bytes>
  [[gnu::noinline]] static void* allocate() {
    return allocateNode(bytes);
  }
  [[gnu::noinline]] static void operator delete(void* memory, std::size_t bytes) noexcept {
    deallocateNode(memory, bytes);
  }
  static void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return ::operator new(bytes, alignment);
  }
  static void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
    ::operator delete(memory, alignment);
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
