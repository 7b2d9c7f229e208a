// Defines CoroutineBlock, one execution of a block of direct style: a user's coroutine, inside a run.
#pragma once

#include <coroutine>

#include "tapestry/continuation/detail/stoppable_block.hpp"

namespace tapestry::detail {

/// Resumes its coroutine, and those that this awaits in turn, from a frame of its run, one after the other
/// and never within each other: whether a compiler makes tail calls between coroutines is not left to chance.
class CoroutineBlock : public StoppableBlock {
 public:
  /// In the program's step, which gives its reference away.
  void begin(Run& run) { beginIn<CoroutineBlock>(run); }

  // ---- for awaits, in a coroutine of the block

  using StoppableBlock::checkAfter;
  using StoppableBlock::checkBefore;

  /// As a coroutine is suspended: lets the run execute the program, and then resume the coroutine, which
  /// keeps the program alive.
  template <Program P>
  void suspendFor(const P& program, std::coroutine_handle<> waiting) noexcept {
    waiting_ = waiting;
    pushResume<CoroutineBlock, Stored<typename P::ValueType>>();
    program.step(run(), nullptr);
  }
  template <class A>
  A take() {
    return run().template take<A>();
  }

  /// As a coroutine is suspended: the coroutine to go on with; null when the last one has ended.
  void goOnWith(std::coroutine_handle<> next) noexcept { next_ = next; }

 protected:
  using StoppableBlock::StoppableBlock;

  /// Calls the user's function; the coroutine to begin with, or null if there is none.
  virtual std::coroutine_handle<> start() noexcept = 0;

 private:
  friend class StoppableBlock;

  void proceed();

  bool started_ = false;
  std::coroutine_handle<> next_;
  std::coroutine_handle<> waiting_;  ///< for a program; null when the last coroutine has ended
};

}  // namespace tapestry::detail
