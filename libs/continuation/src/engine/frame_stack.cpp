#include "tapestry/continuation/detail/engine/frame_stack.hpp"

#include <algorithm>
#include <new>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace tapestry::detail {

namespace {

/// Is stored at the end of a chunk's frames.
struct ChunkEnd {
  std::uintptr_t* outerTop;
  std::uintptr_t* outerEnd;
  std::size_t bytes;  ///< of the chunk, including this object
};

constexpr std::size_t leastBytes = 512;
/// The size of a large page on common systems.
constexpr std::size_t mostBytes = std::size_t{2048} * 1024;
/// The size of a second chunk, which networks of some depth need again and again: each thread keeps one.
constexpr std::size_t keptBytes = 8 * leastBytes;
static_assert(NodeCache::sizeClassOf(keptBytes) >= NodeCache::sizeClasses);

/// A chunk above an equally large chunk belongs to a very deep run, which needs many of them again and again.
/// It is one large page, if the system has these, since the first access to each page is a call of the
/// kernel. In chunks below, a run uses only the pages that it needs.
void* allocateLargest(bool aboveLargest) {
  void* const chunk = ::operator new(mostBytes, std::align_val_t{mostBytes});
#ifdef MADV_HUGEPAGE
  if (aboveLargest) static_cast<void>(::madvise(chunk, mostBytes, MADV_HUGEPAGE));
#endif
  return chunk;
}

void* allocateChunk(std::size_t bytes, std::size_t below) {
  if (bytes == mostBytes) return allocateLargest(below == mostBytes);
  if (bytes == keptBytes)
    if (void* const kept = std::exchange(threadState.nodes.chunk, nullptr)) return kept;
  return allocateNode(bytes);
}

void deallocateChunk(void* chunk, std::size_t bytes) noexcept {
  if (bytes == mostBytes) return ::operator delete(chunk, std::align_val_t{mostBytes});
  auto& nodes = threadState.nodes;
  if (bytes != keptBytes || nodes.chunk || nodes.limit == 0) return deallocateNode(chunk, bytes);
  nodes.chunk = chunk;
}

}  // namespace

void FrameStack::grow() {
  const bool first = end_ == inlined_ + inlinedWords;
  const std::size_t below = first ? leastBytes / 8 : reinterpret_cast<const ChunkEnd*>(end_)->bytes;
  const std::size_t bytes = std::min(mostBytes, 8 * below);
  auto* const chunk = static_cast<std::byte*>(allocateChunk(bytes, below));
  auto* const end = ::new (chunk + bytes - sizeof(ChunkEnd)) ChunkEnd{top_, end_, bytes};
  top_ = reinterpret_cast<Word*>(chunk);
  end_ = reinterpret_cast<Word*>(end);
}

void FrameStack::leaveAll() noexcept {
  while (!empty()) {
    if (onlyKeeps())
      popKeeper();
    else
      pop();
  }
}

void FrameStack::leaveChunk() noexcept {
  const ChunkEnd left = *reinterpret_cast<const ChunkEnd*>(end_);
  deallocateChunk(top_, left.bytes);
  top_ = left.outerTop;
  end_ = left.outerEnd;
}

}  // namespace tapestry::detail
