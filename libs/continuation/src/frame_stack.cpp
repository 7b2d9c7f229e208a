#include "tapestry/continuation/detail/frame_stack.hpp"

#include <algorithm>

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

}  // namespace

void FrameStack::grow() {
  const bool first = end_ == inlined_ + inlinedWords;
  const std::size_t bytes =
      first ? leastBytes : std::min(mostBytes, 8 * reinterpret_cast<const ChunkEnd*>(end_)->bytes);
  auto* const chunk = static_cast<std::byte*>(allocateNode(bytes));
  auto* const end = ::new (chunk + bytes - sizeof(ChunkEnd)) ChunkEnd{top_, end_, bytes};
  top_ = reinterpret_cast<Word*>(chunk);
  end_ = reinterpret_cast<Word*>(end);
}

void FrameStack::leaveChunk() noexcept {
  const ChunkEnd left = *reinterpret_cast<const ChunkEnd*>(end_);
  deallocateNode(top_, left.bytes);
  top_ = left.outerTop;
  end_ = left.outerEnd;
}

}  // namespace tapestry::detail
