// Defines Run, one execution of a program: a loop over an explicit stack of frames, with an environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/engine/environment.hpp"
#include "tapestry/continuation/detail/engine/frame_stack.hpp"
#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/engine/slot.hpp"
#include "tapestry/continuation/monad/errors.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Gather;

/// Gives a run to another owner, or lets it continue, as the last action of the run's loop.
class Parker {
 public:
  /// Returns true if the run may continue at once on this thread, false if it has another owner by now.
  [[nodiscard]] virtual bool park(Run& run) noexcept = 0;

 protected:
  ~Parker() = default;
};

/// Belongs to one thread at a time. Programs use it in `step`, frames in `resume` and `unwind`; each of these
/// leaves it with either a value (put), a program to continue with (next), a parker (park), or a stop.
class Run : public Task, public Pooled {
 public:
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  template <class A>
  void put(A value) {
    slot_.put<A>(std::move(value));
  }
  template <class A>
  A take() {
    return slot_.take<A>();
  }
  /// The value that was put; it stays in the run.
  template <class A>
  const A& look() const noexcept {
    return slot_.look<A>();
  }

  /// Pushes a frame for an object that lives until the run has left the frame, or that `keeper` keeps alive.
  /// resume(object, run), or object.resume(run), takes the value that the program above has put; unwind is
  /// called instead when the run is stopping. A null function passes the value, or the stop, on.
  template <auto resume, auto unwind = nullptr, class T>
  void push(T* object, Keeper keeper = {}) {
    frames_.push(object, frameFunction<resume, T>(), frameFunction<unwind, T>(), {keeper.detach()});
  }
  /// As above, for functions resume(run) and unwind(run) without an object.
  template <auto resume, auto unwind = nullptr>
  void push(Keeper keeper = {}) {
    frames_.push(nullptr, frameFunction<resume, void>(), frameFunction<unwind, void>(), {keeper.detach()});
  }
  /// Pushes a frame that owns its object, and returns the object.
  template <auto resume, auto unwind = nullptr, class N>
  N& push(Ref<N> node) {
    N* const object = node.detach();
    push<resume, unwind>(object, Keeper::adopt(object));
    return *object;
  }
  void push(Frame&& frame) { frames_.push(std::move(frame)); }
  /// Keeps a node alive until everything above has been left.
  void keep(Keeper keeper) {
    if (keeper) frames_.keep(std::move(keeper));
  }
  void next(const ProgramNode& program) noexcept { next_ = reinterpret_cast<std::uintptr_t>(&program); }
  /// As above, for a program that only this run keeps.
  void next(Ref<const ProgramNode> program) noexcept {
    next_ = reinterpret_cast<std::uintptr_t>(program.detach()) | isOwned;
  }
  void park(Parker& parker, const Wait& wait) noexcept {
    if (environment_->hasSlots()) noteWait(wait);
    comeTo(parker);
  }
  /// For a parker: the run comes to another parker before it continues.
  void comeTo(Parker& parker) noexcept { next_ = reinterpret_cast<std::uintptr_t>(&parker) | isParker; }

  /// Starts to unwind: with the errors, or as cancelled if there are none. The errors replace the value.
  void stop(Errors errors) noexcept {
    if (std::exchange(stopping_, true)) slot_.take<Errors>();
    slot_.put<Errors>(std::move(errors));
  }
  bool stopping() const noexcept { return stopping_; }
  const Errors& stopErrors() const noexcept { return slot_.look<Errors>(); }
  /// Ends the unwinding, for a frame that makes the run continue.
  Errors takeStop() noexcept {
    stopping_ = false;
    return slot_.take<Errors>();
  }

  StopState& stopState() const noexcept { return environment_->stop(); }
  bool stopRequested() const noexcept { return stopState().requested(); }
  /// Stops the run as cancelled if a stop has been requested; returns whether it has. Precondition: the run
  /// holds no value.
  [[nodiscard]] bool stopIfRequested() noexcept {
    if (!stopRequested()) return false;
    stop(Errors());
    return true;
  }
  const Environment* environment() const noexcept { return environment_; }
  Executor& executor() const noexcept { return *executor_; }

  /// Changes the environment until everything above the frame that this pushes has been left.
  template <class E>
  void enter(Ref<const E> environment) {
    const E& entered = *environment;
    enter(entered, Keeper(std::move(environment)));
  }
  /// As above, for an environment that the keeper, or else the caller, keeps alive.
  void enter(const Environment& environment, Keeper keeper);

  /// Enters the branches of a Gather, or leaves them; returns the previous gather.
  Gather* enterBranches(Gather* gather, const Environment& environment) noexcept {
    environment_ = &environment;
    return std::exchange(gather_, gather);
  }

  /// Changes the executor, but not yet the thread. The run holds the executor until it moves on or ends.
  void moveTo(Executor& executor) noexcept {
    if (executor_ != &executor) moveAway(executor.core());
  }
  /// Lets a run that its executor has refused continue on the current thread, to run finalizers.
  void stayHere() noexcept { moveTo(Executor::inlined()); }
  /// As stayHere, and stops the run with ExecutorStopped. Drops the run's request.
  void stopRefused() noexcept;

  /// For blocks, as the last action in a step or a frame: takes the step, and counts it as a program's.
  void takeStep(const void* self, FrameFunction* step) {
    if (!countStep()) return takeStepLater(self, step);
    step(self, *this);
  }
  /// Counts a step of the calling thread; or returns false, without counting, if the step belongs to the next
  /// turn. Not to be inlined into coroutines, which may change threads.
  [[gnu::noinline]] static bool countStep() noexcept;
  void takeStepLater(const void* self, FrameFunction* step);

  /// The loop: executes until the run ends, is parked or yields to other tasks.
  void execute() noexcept override;

  /// Stops a parked run, or a run before its first step, with ExecutorStopped, and continues it on this
  /// thread. A run that has yielded to other tasks is stopped at its next check for requests to stop.
  void refuse() noexcept override;

  /// Continues a parked run, which must hold no value, on its executor: in place if the calling thread
  /// belongs to the executor, but never inside the step that called this.
  void resume() noexcept;
  /// Continues a parked run on this thread.
  void resumeHere() noexcept;

 protected:
  Run(const Environment& environment, Executor& executor) noexcept { begin(environment, executor); }
  Run() noexcept = default;
  ~Run() {
    if (holdsOther_) other_->letGo();
    if (holds_) executor_->letGo();
  }

  /// Called before the first step of a run that was constructed without arguments.
  void begin(const Environment& environment, Executor& executor) noexcept {
    environment_ = &environment;
    executor_ = &executor;
  }

  /// Called if only this run holds its executor.
  void holdExecutor() noexcept {
    executor_->hold();
    holds_ = true;
  }
  /// Returns the hold that keeps the executor of an ended run alive.
  ExecutorHold takeHold() noexcept {
    if (holdsOther_) dropOther();
    return ExecutorHold(std::exchange(holds_, false) ? executor_ : nullptr);
  }

  /// Whether the run has ended; to be asked after a first step that was taken outside of the loop.
  bool isOver() const noexcept { return !next_ && frames_.empty(); }

  /// Called when the run has ended: it holds a value, or is stopping. The callee takes the run over.
  virtual void ended() noexcept = 0;

 private:
  /// Notes the run's wait until the run continues, if the run is in a named program.
  void noteWait(const Wait& wait);

  static constexpr std::uintptr_t isOwned = 1, isParker = 2, madeWay = 4;
  static constexpr std::uintptr_t marks = isOwned | isParker | madeWay;
  static_assert(alignof(ProgramNode) > marks && alignof(Parker) > marks);

  /// Returns the program for the next turn of a run that yields to other tasks: it notifies the observer, if
  /// there is one, else it is `next`.
  std::uintptr_t observedTurn(std::uintptr_t next);
  /// Called if the run continues at once, and not with that program.
  void endObservedTurn(std::uintptr_t turn) noexcept;

  bool executeToEnd() noexcept;
  bool makesWay(std::uintptr_t next) noexcept;
  void stopSoon() noexcept;
  void moveAway(Executor& core) noexcept;
  void dropOther() noexcept {
    std::exchange(other_, nullptr)->letGo();
    holdsOther_ = false;
  }

  FrameStack frames_;
  Slot slot_;  ///< the value, or Errors if the run is stopping
  /// The request of the last step or parker: a program or a parker, as the lowest bits say, or 0 for a value.
  /// `madeWay` marks the program of a run that was posted when its turn was over.
  std::uintptr_t next_ = 0;
  const Environment* environment_ = nullptr;
  Executor* executor_ = nullptr;
  Executor* other_ = nullptr;  ///< the previous executor
  Gather* gather_ = nullptr;   ///< the innermost gather with a branch that this run is in
  bool holds_ = false;         ///< whether the run, and not its starter, holds `executor_`
  bool holdsOther_ = false;    ///< whether the run, and not its starter, holds `other_`
  bool stopping_ = false;      ///< last, so that members of derived classes can use its padding
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
