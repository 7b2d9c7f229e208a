// Defines CoroutineBlock, one execution of a block of direct style: a user's coroutine, inside a run.
#pragma once

#include <coroutine>

#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/monad/detail/at.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Resumes its coroutine, and the coroutines that this awaits in turn, from a frame of its run, one after the
/// other and never nested, so as not to depend on a compiler's tail calls between coroutines.
class CoroutineBlock : public StoppableBlock {
 public:
  /// Called in the program's step, which gives its reference to the block away.
  void begin(Run& run) { beginIn<CoroutineBlock>(run); }

  // ---- for awaits, in a coroutine of the block

  /// Called before the coroutine continues. Throws the failure of the await for which it was suspended, or
  /// else Cancelled if the run is asked to stop.
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

  /// Called as a coroutine is suspended: lets the run execute the program, then call awaiter.settle(value),
  /// and then resume the coroutine, which keeps both alive.
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

  /// Sets the error to be thrown in the coroutine that is resumed next.
  void fail(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  /// Called when an expression with awaits is over: another part of it may have thrown before the awaits
  /// could.
  void forgetFailure() noexcept {
    if (failure_) failure_ = nullptr;
  }

  /// Called as a coroutine is suspended: sets the coroutine to continue with; null when the last one has
  /// ended.
  void goOnWith(std::coroutine_handle<> next) noexcept { next_ = next; }

 protected:
  using StoppableBlock::StoppableBlock;

  /// Calls the user's function; returns the coroutine to begin with, or null if there is none.
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
#pragma GCC visibility pop
