#include "tapestry/continuation/detail/frame_stack.hpp"

#include <algorithm>
#include <utility>

namespace tapestry::detail {

namespace {

/// Stands where a chunk's frames end.
struct ChunkEnd {
  std::uintptr_t* outerTop;
  std::uintptr_t* outerEnd;
  std::size_t bytes;  ///< of the chunk, this included
};

constexpr std::size_t leastBytes = 512;
constexpr std::size_t mostBytes = std::size_t{1024} * 1024;
/// Of a second chunk, into which networks of some depth come and go: each thread keeps one.
constexpr std::size_t keptBytes = 8 * leastBytes;
static_assert(NodeCache::sizeClassOf(keptBytes) >= NodeCache::sizeClasses);

void* allocateChunk(std::size_t bytes) {
  if (bytes == keptBytes)
    if (void* const kept = std::exchange(threadState.nodes.chunk, nullptr)) return kept;
  return allocateNode(bytes);
}

void deallocateChunk(void* chunk, std::size_t bytes) noexcept {
  auto& nodes = threadState.nodes;
  if (bytes != keptBytes || nodes.chunk || nodes.limit == 0) return deallocateNode(chunk, bytes);
  nodes.chunk = chunk;
}

}  // namespace

void FrameStack::grow() {
  const bool first = end_ == inlined_ + inlinedWords;
  const std::size_t bytes =
      first ? leastBytes : std::min(mostBytes, 8 * reinterpret_cast<const ChunkEnd*>(end_)->bytes);
  auto* const chunk = static_cast<std::byte*>(allocateChunk(bytes));
  auto* const end = ::new (chunk + bytes - sizeof(ChunkEnd)) ChunkEnd{top_, end_, bytes};
  top_ = reinterpret_cast<Word*>(chunk);
  end_ = reinterpret_cast<Word*>(end);
}

void FrameStack::leaveChunk() noexcept {
  const ChunkEnd left = *reinterpret_cast<const ChunkEnd*>(end_);
  deallocateChunk(top_, left.bytes);
  top_ = left.outerTop;
  end_ = left.outerEnd;
}

}  // namespace tapestry::detail
