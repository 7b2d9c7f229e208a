// Defines StoppableBlock, the base of the blocks of direct style: a stop of the run comes to them as an
// exception.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

namespace tapestry::detail {

/// What a monad with errors adds to its blocks.
class BlockScope {
 protected:
  ~BlockScope() = default;
};

/// One execution of a block: a user's function that is suspended while the run executes what it awaits. When
/// the run is stopped, the function is resumed all the same, and all its awaits throw.
class StoppableBlock : public Node {
 public:
  /// Null in a block that cannot fail.
  BlockScope* scope() const noexcept { return scope_; }

 protected:
  /// In a block with a scope, awaits throw the errors that what they await is stopped with as errors that the
  /// block may handle. Without one these are thrown too, but the run goes on stopping whatever the block
  /// does.
  explicit StoppableBlock(BlockScope* scope) noexcept : scope_(scope) {}

  /// Takes what the user's function returns or throws, and leaves the run with a value or stopping.
  virtual void body(Run& run) noexcept = 0;
  /// Instead of body, where there is nothing to run it on.
  virtual void refuse(Run& run, const std::exception_ptr& error) noexcept = 0;

  Run& run() const noexcept { return *run_; }

  /// Whether the run is to go on stopping.
  bool stopped() const noexcept { return stopped_; }
  /// Whether the exception is what awaits throw since the run was stopped.
  bool isStop(const std::exception_ptr& exception) const noexcept { return stopped_ && exception == thrown_; }
  /// What awaits throw though the run is not to go on stopping; null where there is nothing such.
  std::exception_ptr takeThrown() noexcept { return std::exchange(thrown_, nullptr); }
  /// What the run was stopped with.
  Errors takeStopped() noexcept { return std::move(stoppedWith_); }

  /// In the program's step, which gives its reference away: lets the run go on with `proceed` of the block,
  /// whose most derived carrier is a Block.
  template <class Block>
  void beginIn(Run& run) {
    run_ = &run;
    run.keep(Keeper::adopt(this));
    constexpr auto proceed = [](Block& block, Run&) { block.proceed(); };
    push<Block, proceed>();
  }

  /// What comes above this frame is awaited: when it has yielded an A, the run goes on with Awaited::resume,
  /// and when it has been stopped, with `proceed`, both of the block.
  template <class Block, class A, class Awaited>
  void pushResume() {
    push<Block, resumeWith<Block, A, Awaited>>();
  }

  /// Before an await. Throws Cancelled if the run is asked to stop, and what it was stopped with.
  void checkBefore() {
    if (!stopped_ && run_->stopRequested()) stopped_ = true;
    if (stopped_) throwStop();
  }
  /// After the block has been suspended.
  void checkAfter() {
    if (stopped_ || thrown_) throwStop();
  }

 private:
  /// resume(block, run) takes the most derived block, whose friend this class is.
  template <class Block, auto resume>
  void push() {
    constexpr auto unwind = [](Block& block, Run&) {
      block.takeStop();
      block.proceed();
    };
    run_->push<resume, unwind>(static_cast<Block*>(this));
  }

  template <class Block, class A, class Awaited>
  static void resumeWith(Block& block, Run& run) {
    if (!run.stopRequested()) return Awaited::resume(block);
    block.template pushResume<Block, A, Awaited>();
    cancelHolding(run, run.take<A>());
  }

  void takeStop();
  [[noreturn]] void throwStop();

  BlockScope* const scope_;
  bool stopped_ = false;
  Run* run_ = nullptr;
  Errors stoppedWith_;
  std::exception_ptr thrown_;  ///< null stands for Cancelled
};

}  // namespace tapestry::detail
