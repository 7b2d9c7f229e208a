// Defines StoppableBlock, the base of the blocks of direct style, whose awaits throw when the run is stopped,
// UnitBlock, a block that cannot fail, and BlockProgram, the program made from a block.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The state that a monad with errors adds to its blocks.
class BlockScope {
 protected:
  ~BlockScope() = default;
};

/// One execution of a block: a user's function that is suspended while the run executes the awaited program.
/// When the run is stopped, the function is resumed nevertheless, and all its awaits throw.
class StoppableBlock : public Node {
 public:
  /// Null in a block that cannot fail.
  BlockScope* scope() const noexcept { return scope_; }

 protected:
  /// If the block has a scope and an awaited program is stopped with errors, the await throws these errors,
  /// and the block may handle them. Without a scope they are thrown too, but the run continues stopping
  /// whatever the block does.
  explicit StoppableBlock(BlockScope* scope) noexcept : scope_(scope) {}

  /// Takes the result or exception of the user's function, and leaves the run with a value or stopping.
  virtual void body(Run& run) noexcept = 0;
  /// Called instead of body if there is no stack to run it on.
  virtual void refuse(Run& run, const std::exception_ptr& error) noexcept = 0;

  Run& run() const noexcept { return *run_; }

  /// Whether the run is to continue stopping.
  bool stopped() const noexcept { return stopped_; }
  /// Whether the exception is the exception that awaits throw since the run was stopped.
  bool isStop(const std::exception_ptr& exception) const noexcept { return stopped_ && exception == thrown_; }
  /// The error that awaits throw although the run is not to continue stopping, or null.
  std::exception_ptr takeThrown() noexcept { return std::exchange(thrown_, nullptr); }
  /// The errors that the run was stopped with.
  Errors takeStopped() noexcept { return std::move(stoppedWith_); }

  /// Called in the program's step, which gives its reference to the block away: lets the run continue with
  /// `proceed` of the block, whose most derived carrier is a Block.
  template <class Block>
  void beginIn(Run& run) {
    run_ = &run;
    run.keep(Keeper::adopt(this));
    constexpr auto proceed = [](Block& block, Run&) { block.proceed(); };
    push<Block, proceed>();
  }

  /// Pushes the frame below an awaited program: when the program has yielded an A, the run continues with
  /// Awaited::resume(block), and when it has been stopped, with `proceed` of the block.
  template <class Block, class A, class Awaited>
  void pushResume() {
    push<Block, resumeWith<Block, A, Awaited>>();
  }

  /// Called before an await. Throws Cancelled if the run is asked to stop, or the error that it was stopped
  /// with.
  void checkBefore() {
    if (!stopped_ && run_->stopRequested()) stopped_ = true;
    if (stopped_) throwStop();
  }
  /// Called after the block has been suspended.
  void checkAfter() {
    if (stopped_ || thrown_) throwStop();
  }

 private:
  /// resume(block, run) takes the most derived block, of which this class is a friend.
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
  std::exception_ptr thrown_;  ///< null means Cancelled
};

template <class Carrier>
class UnitBlock final : public Carrier {
 public:
  using ValueType = typename Carrier::Result;

  UnitBlock(const typename Carrier::Function& function, Location location) noexcept
      : Carrier(nullptr, function), location_(location) {}

 private:
  void body(Run& run) noexcept override {
    try {
      auto value = this->result();
      if (!this->stopped()) return run.put<Stored<ValueType>>(std::move(value));
    } catch (const Cancelled&) {
    } catch (...) {
      if (!this->isStop(std::current_exception())) functionThrew("direct", location_);
    }
    run.stop(this->takeStopped());
  }
  void refuse(Run& run, const std::exception_ptr& error) noexcept override {
    Errors errors = this->takeStopped();
    errors.append(error);
    run.stop(std::move(errors));
  }

  Location location_;
};

/// The program whose runs are Blocks.
template <class Block>
class [[nodiscard("a program does nothing until it is run")]] BlockProgram
    : public ProgramOperations<BlockProgram<Block>> {
  using Function = typename Block::Function;

 public:
  using ValueType = typename Block::ValueType;

  BlockProgram(Function function, Location location) : function_(std::move(function)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (!run.stopIfRequested()) makeRef<Block>(function_, location_).detach()->begin(run);
  }

 private:
  Function function_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
