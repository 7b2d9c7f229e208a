// Defines Frame, what a run does with the next value, and FrameStack, the explicit stack of them.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/continuation/detail/node.hpp"

namespace tapestry::detail {

class Run;

/// Borrows `self` from a program that some frame below, or `owned` itself, keeps alive.
struct Frame {
  const void* self;
  void (*resume)(const void* self, Run& run);  ///< takes the value from the run; null to pass it on
  void (*unwind)(const void* self,
                 Run& run);  ///< called instead of resume when the run is stopping; null to skip
  const Node* owned;         ///< released when the frame has been left; may be null
};

class FrameStack {
 public:
  FrameStack() noexcept = default;
  FrameStack(const FrameStack&) = delete;
  FrameStack& operator=(const FrameStack&) = delete;
  ~FrameStack() {
    if (begin_ != inlined_) deallocateNode(begin_, bytes());
  }

  bool empty() const noexcept { return top_ == begin_; }
  void push(const Frame& frame) {
    if (top_ == end_) grow();
    *top_++ = frame;
  }
  Frame pop() noexcept { return *--top_; }

 private:
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(end_ - begin_) * sizeof(Frame); }

  [[gnu::noinline]] void grow() {
    const std::size_t count = static_cast<std::size_t>(end_ - begin_);
    auto* frames = static_cast<Frame*>(allocateNode(2 * count * sizeof(Frame)));
    for (std::size_t i = 0; i < count; ++i) ::new (frames + i) Frame(begin_[i]);
    if (begin_ != inlined_) deallocateNode(begin_, bytes());
    begin_ = frames;
    top_ = frames + count;
    end_ = frames + 2 * count;
  }

  static constexpr std::size_t inlinedCount = 4;
  Frame inlined_[inlinedCount];
  Frame* begin_ = inlined_;
  Frame* top_ = inlined_;
  Frame* end_ = inlined_ + inlinedCount;
};

}  // namespace tapestry::detail
