// Defines DirectBlock, one execution of a block of direct style: a user's function on a fiber, inside a run.
#pragma once

#include "tapestry/continuation/detail/stoppable_block.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Fiber;

/// The program that a block awaits. It lives on the block's own stack until it has ended.
struct Awaited {
  const void* program;
  FrameFunction* step;
  void (*push)(DirectBlock& block);
};

/// Its fiber runs only while a frame of its run does, on that frame's thread, so that awaited programs are
/// run by the same run and on the run's native stack. When the run is stopped, the fiber is entered once
/// more, and all its awaits throw.
class DirectBlock : public StoppableBlock {
 public:
  /// The block that runs on this thread, or null. Not to be inlined: a block may change threads in every
  /// await, and compilers assume that the address of a thread-local variable is constant within a function.
  [[gnu::noinline]] static DirectBlock* current() noexcept;
  /// As above. Throws std::logic_error outside of any block.
  static DirectBlock& checkedCurrent();

  /// Called in the program's step, which gives its reference to the block away.
  void begin(Run& run) { beginIn<DirectBlock>(run); }

  /// On the fiber: runs the program and returns its value, possibly on another thread. Throws Cancelled if
  /// the run is asked to stop, and the error that the run is stopped with.
  template <Program P>
  Stored<typename P::ValueType> await(const P& program) {
    using A = Stored<typename P::ValueType>;
    constexpr auto push = [](DirectBlock& block) { block.pushResume<DirectBlock, A, DirectBlock>(); };
    suspend({&program, stepBorrowed<P>, push});
    return run().take<A>();
  }

 protected:
  using StoppableBlock::StoppableBlock;

 private:
  friend class StoppableBlock;

  [[gnu::noinline]] void suspend(const Awaited& awaited);
  void proceed();
  static void resume(DirectBlock& block) { block.proceed(); }

  Fiber* fiber_ = nullptr;
  Awaited awaited_{};
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
