// Defines CoroutineBlock, one execution of a block of direct style: a user's coroutine, inside a run.
#pragma once

#include <coroutine>

#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/monad/detail/at.hpp"

namespace tapestry::detail {

/// Resumes its coroutine, and those that this awaits in turn, from a frame of its run, one after the other
/// and never within each other: whether a compiler makes tail calls between coroutines is not left to chance.
class CoroutineBlock : public StoppableBlock {
 public:
  /// In the program's step, which gives its reference away.
  void begin(Run& run) { beginIn<CoroutineBlock>(run); }

  // ---- for awaits, in a coroutine of the block

  /// Throws what the coroutine has to know before it goes on: how that failed for which it was suspended, or
  /// else that the run is asked to stop.
  void checkBefore() {
    rethrowFailure();
    StoppableBlock::checkBefore();
  }
  void checkAfter() {
    rethrowFailure();
    StoppableBlock::checkAfter();
  }
  void rethrowFailure(const At& place = {}) {
    if (failure_) std::rethrow_exception(place(std::exchange(failure_, nullptr)));
  }

  /// As a coroutine is suspended: lets the run execute the program, then call awaiter.settle(value), and then
  /// resume the coroutine, which keeps both alive.
  template <class Awaiter, Program P>
  void suspendFor(Awaiter& awaiter, const P& program, std::coroutine_handle<> waiting) noexcept {
    using A = Stored<typename P::ValueType>;
    struct Settle {
      static void resume(CoroutineBlock& block) {
        static_cast<Awaiter*>(block.awaiter_)->settle([&block] { return block.run().template take<A>(); });
        block.proceed();
      }
    };
    awaiter_ = &awaiter;
    waiting_ = waiting;
    pushResume<CoroutineBlock, A, Settle>();
    run().takeStep(&program, stepBorrowed<P>);
  }

  /// What is to be thrown in the coroutine that is resumed next.
  void fail(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  /// When an expression with awaits is over: something else in it may have thrown before they could.
  void forgetFailure() noexcept {
    if (failure_) failure_ = nullptr;
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
  void goOn();

  bool started_ = false;
  void* awaiter_ = nullptr;
  std::coroutine_handle<> next_;
  std::coroutine_handle<> waiting_;  ///< for a program; null when the last coroutine has ended
  std::exception_ptr failure_;
};

}  // namespace tapestry::detail
