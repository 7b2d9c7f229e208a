// Defines DirectBlock, one execution of a block of direct style: a user's function on a fiber, inside a run.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/detail/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

namespace tapestry::detail {

class Fiber;

/// What a block waits for. The program lives on the block's own stack until it has ended.
struct Awaited {
  const void* program;
  void (*step)(const void* program, Run& run);
  void (*resume)(const void* block, Run& run);
};

/// Its fiber runs only while a frame of its run does, on that frame's thread, so that whatever the block
/// awaits is run by the same run and on the run's native stack. When the run is stopped, the fiber is entered
/// once more, and all its awaits throw.
class DirectBlock : public Node {
 public:
  /// Whether awaits throw the errors that what they await is stopped with as errors that the block may
  /// handle; where not, these are thrown too, but the run goes on stopping whatever the block does.
  enum class StopErrors { final, handled };

  /// The block that runs on this thread, or null. Not to be inlined: a block may change threads in every
  /// await, and compilers take the address of a thread-local variable to be constant within a function.
  [[gnu::noinline]] static DirectBlock* current() noexcept;
  /// As above. Throws std::logic_error outside of any block.
  static DirectBlock& checkedCurrent();

  /// In the program's step, which gives its reference away.
  void begin(Run& run);

  /// On the fiber: runs the program and returns its value, possibly on another thread. Throws Cancelled if
  /// the run is asked to stop, and what it is stopped with.
  template <Program P>
  Stored<typename P::ValueType> await(const P& program) {
    using A = Stored<typename P::ValueType>;
    constexpr auto step = [](const void* self, Run& run) { static_cast<const P*>(self)->step(run, nullptr); };
    suspend({&program, step, resumeWith<A>});
    return run_->take<A>();
  }

 protected:
  explicit DirectBlock(StopErrors stopErrors) noexcept : stopErrors_(stopErrors) {}

  /// On the fiber: calls the user's function, and leaves the run with a value or stopping.
  virtual void body(Run& run) noexcept = 0;

  /// Whether the run is to go on stopping.
  bool stopped() const noexcept { return stopped_; }
  /// Whether the exception is what awaits throw since the run was stopped.
  bool isStop(const std::exception_ptr& exception) const noexcept { return stopped_ && exception == thrown_; }
  /// What the run was stopped with.
  Errors takeStopped() noexcept { return std::move(stoppedWith_); }

 private:
  [[gnu::noinline]] void suspend(const Awaited& awaited);
  [[noreturn]] void throwStop();

  template <class A>
  static void resumeWith(const void* self, Run& run) {
    auto& block = *const_cast<DirectBlock*>(static_cast<const DirectBlock*>(self));
    if (!run.stopRequested()) return block.proceed();
    block.push(resumeWith<A>);
    cancelHolding(run, run.take<A>());
  }

  void push(void (*resume)(const void* self, Run& run));
  void proceed();
  void unwind();

  const StopErrors stopErrors_;
  bool stopped_ = false;
  Run* run_ = nullptr;
  Fiber* fiber_ = nullptr;
  Awaited awaited_{};
  Errors stoppedWith_;
  std::exception_ptr thrown_;  ///< null stands for Cancelled
};

/// The program whose runs are Blocks.
template <class Block>
class [[nodiscard]] DirectProgram : public ProgramOperations<DirectProgram<Block>> {
  using Function = typename Block::Function;

 public:
  using ValueType = typename Block::ValueType;

  DirectProgram(Function function, Location location) : function_(std::move(function)), location_(location) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    (new Block(function_, location_))->begin(run);
  }

 private:
  Function function_;
  Location location_;
};

}  // namespace tapestry::detail
