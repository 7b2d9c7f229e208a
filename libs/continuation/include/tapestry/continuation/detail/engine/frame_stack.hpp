// Defines Frame, which takes a run's next value, and FrameStack, the explicit stack of frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Run;

using FrameFunction = void(const void* self, Run& run);

/// Borrows `self` from a program that a frame below, or `owned` itself, keeps alive.
struct Frame {
  const void* self;
  FrameFunction* resume;  ///< takes the value from the run; null to pass it on
  FrameFunction* unwind;  ///< called instead of resume when the run is stopping; null to skip
  const Node* owned;      ///< released when the frame has been left; may be null
};

/// A frame takes three words, or four with `unwind`: unwind, self, resume, and owned, whose lowest bits say
/// whether there is an unwind and whether the frame is the lowest of its chunk. Frames are in chunks and
/// never move: the first chunk is inline, and each further chunk is larger, up to a bound.
class FrameStack {
 public:
  FrameStack() noexcept = default;
  FrameStack(const FrameStack&) = delete;
  FrameStack& operator=(const FrameStack&) = delete;
  ~FrameStack() {
    while (!empty()) pop();
  }

  bool empty() const noexcept { return top_ == inlined_; }

  void push(const Frame& frame) {
    Word mark = 0;
    if (end_ - top_ < (frame.unwind ? 4 : 3)) {
      grow();
      mark = isLowest;
    }
    if (frame.unwind) {
      *top_++ = reinterpret_cast<Word>(frame.unwind);
      mark |= hasUnwind;
    }
    top_[0] = reinterpret_cast<Word>(frame.self);
    top_[1] = reinterpret_cast<Word>(frame.resume);
    top_[2] = reinterpret_cast<Word>(frame.owned) | mark;
    top_ += 3;
  }

  Frame pop() noexcept {
    top_ -= 3;
    const Word marks = top_[2] & (hasUnwind | isLowest);
    Frame frame{reinterpret_cast<const void*>(top_[0]), reinterpret_cast<FrameFunction*>(top_[1]), nullptr,
                reinterpret_cast<const Node*>(top_[2] ^ marks)};
    if (marks & hasUnwind) frame.unwind = reinterpret_cast<FrameFunction*>(*--top_);
    if (marks & isLowest) leaveChunk();
    return frame;
  }

 private:
  using Word = std::uintptr_t;
  static constexpr Word hasUnwind = 1, isLowest = 2;
  static_assert(alignof(Node) > (hasUnwind | isLowest));

  void grow();
  void leaveChunk() noexcept;

  static constexpr std::size_t inlinedWords = 7;
  Word* top_ = inlined_;
  Word* end_ = inlined_ + inlinedWords;
  Word inlined_[inlinedWords];
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
