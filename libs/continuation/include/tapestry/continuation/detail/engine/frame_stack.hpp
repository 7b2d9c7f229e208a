// Defines Frame, which takes a run's next value, frameOf, and FrameStack, the explicit stack of frames.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

using FrameFunction = void(const void* self, Run& run);

/// Borrows `self` from a program that a frame below, or `keeper`, keeps alive.
struct Frame {
  const void* self;
  FrameFunction* resume;  ///< takes the value from the run; null to pass it on
  FrameFunction* unwind;  ///< called instead of resume when the run is stopping; null to skip
  Keeper keeper;          ///< releases its node when the frame has been left
};

/// Calls function(run) if T is void, else object.function(run) or function(object, run); a FrameFunction.
template <auto function, class T>
void callFrame([[maybe_unused]] const void* self, Run& run) {
  if constexpr (std::same_as<T, void>)
    function(run);
  else if constexpr (requires(T& object) { (object.*function)(run); })
    (static_cast<T*>(const_cast<void*>(self))->*function)(run);
  else
    function(*static_cast<T*>(const_cast<void*>(self)), run);
}
/// The FrameFunction that calls the function as callFrame does; null for a null function.
template <auto function, class T>
consteval FrameFunction* frameFunction() {
  if constexpr (std::same_as<decltype(function), std::nullptr_t>)
    return nullptr;
  else
    return callFrame<function, T>;
}

/// The frame of an object. The functions are its members, or take the object and the run.
template <auto resume, auto unwind = nullptr, class T>
Frame frameOf(T* object, Keeper keeper = {}) noexcept {
  return {object, frameFunction<resume, T>(), frameFunction<unwind, T>(), std::move(keeper)};
}

/// A frame takes three words, or four with an `unwind` that is not `resume`: unwind, self, resume, and the
/// kept node; a frame that only keeps a node takes one word. The lowest bits of the node's address say which
/// words there are, and whether the frame is the lowest of its chunk. Frames are in chunks and never move:
/// the first chunk is inline, and each further chunk is larger, up to a bound.
class FrameStack {
 public:
  FrameStack() noexcept = default;
  FrameStack(const FrameStack&) = delete;
  FrameStack& operator=(const FrameStack&) = delete;
  ~FrameStack() {
    if (!empty()) leaveAll();
  }

  bool empty() const noexcept { return top_ == inlined_; }

  void push(Frame&& frame) { push(frame.self, frame.resume, frame.unwind, {frame.keeper.detach()}); }
  /// As above, with all parts of the frame in registers.
  void push(const void* self, FrameFunction* resume, FrameFunction* unwind, Keeper::Raw rawKeeper) {
    Keeper keeper(rawKeeper);
    const bool ownUnwind = unwind && unwind != resume;
    Word mark = ownUnwind ? hasUnwind : unwind ? resumeUnwinds : 0;
    if (end_ - top_ < (ownUnwind ? 4 : 3)) {
      grow();
      mark |= isLowest;
    }
    if (ownUnwind) *top_++ = reinterpret_cast<Word>(unwind);
    top_[0] = reinterpret_cast<Word>(self);
    top_[1] = reinterpret_cast<Word>(resume);
    top_[2] = reinterpret_cast<Word>(keeper.detach()) | mark;
    top_ += 3;
  }

  /// Pushes a frame that only keeps a node.
  void keep(Keeper keeper) {
    Word mark = onlyKeeper;
    if (top_ == end_) {
      grow();
      mark |= isLowest;
    }
    *top_++ = reinterpret_cast<Word>(keeper.detach()) | mark;
  }

  /// Whether the top frame only keeps a node. Precondition: the stack is not empty.
  bool onlyKeeps() const noexcept { return (top_[-1] & onlyKeeper) == onlyKeeper; }
  /// Pops a frame that only keeps a node.
  Keeper popKeeper() noexcept {
    const Word word = *--top_;
    if (word & isLowest) leaveChunk();
    return Keeper::adopt(reinterpret_cast<const Node*>(word & ~(isLowest | onlyKeeper)));
  }
  /// Pops another frame.
  Frame pop() noexcept {
    top_ -= 3;
    const Word marks = top_[2] & (hasUnwind | isLowest | resumeUnwinds);
    Frame frame{reinterpret_cast<const void*>(top_[0]), reinterpret_cast<FrameFunction*>(top_[1]),
                reinterpret_cast<FrameFunction*>(marks & resumeUnwinds ? top_[1] : 0),
                Keeper::adopt(reinterpret_cast<const Node*>(top_[2] ^ marks))};
    if (marks & (hasUnwind | isLowest)) {
      if (marks & hasUnwind) frame.unwind = reinterpret_cast<FrameFunction*>(*--top_);
      if (marks & isLowest) leaveChunk();
    }
    return frame;
  }

 private:
  using Word = std::uintptr_t;
  static constexpr Word hasUnwind = 1, isLowest = 2, resumeUnwinds = 4;
  /// Marks a frame that only keeps a node.
  static constexpr Word onlyKeeper = hasUnwind | resumeUnwinds;
  static_assert(alignof(Node) > (isLowest | onlyKeeper));

  void grow();
  void leaveAll() noexcept;
  [[gnu::noinline, gnu::cold]] void leaveChunk() noexcept;

  static constexpr std::size_t inlinedWords = 6;
  Word* top_ = inlined_;
  Word* end_ = inlined_ + inlinedWords;
  Word inlined_[inlinedWords];
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
