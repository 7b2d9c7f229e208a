// Defines Run, one execution of a program: a loop over an explicit stack of frames, with its environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/engine/environment.hpp"
#include "tapestry/continuation/detail/engine/executor_hold.hpp"
#include "tapestry/continuation/detail/engine/frame_stack.hpp"
#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/engine/program_node.hpp"
#include "tapestry/continuation/detail/engine/slot.hpp"
#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/monad/errors.hpp"

namespace tapestry::detail {

class Gather;

/// What a frame does, as FrameStack has it, of a function that takes the frame's object.
template <auto function, class T>
inline constexpr auto frameFunction = [](const void* self, Run& run) {
  if constexpr (std::is_void_v<T>)
    function(run);
  else
    std::invoke(function, *static_cast<T*>(const_cast<void*>(self)), run);
};
template <class T>
inline constexpr std::nullptr_t frameFunction<nullptr, T> = nullptr;

/// The frame of an object, whose functions are members, or take the object and the run.
template <auto resume, auto unwind = nullptr, class T>
Frame frameOf(T* object, Keeper keeper = {}) noexcept {
  return {object, frameFunction<resume, T>, frameFunction<unwind, T>, keeper.detach()};
}

/// Gives a run away, as the last thing that its loop does with it.
class Parker {
 public:
  /// True when the run may go on at once, here; false when it has another owner by now.
  [[nodiscard]] virtual bool park(Run& run) noexcept = 0;

 protected:
  ~Parker() = default;
};

/// Belongs to one thread at a time. Programs talk to it in `step`, frames in `resume` and `unwind`; each
/// leaves it with either a value (put), a program to go on with (next), a parker (park), or a stop.
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
  /// The value that was put, which stays.
  template <class A>
  const A& look() const noexcept {
    return slot_.look<A>();
  }

  /// Pushes a frame on behalf of an object that lives until the run has left the frame, or that `keeper`
  /// keeps. resume(object, run), or object.resume(run), takes the value that the program above has put;
  /// unwind is called in its place where the run stops. null passes the value, or the stop, on.
  template <auto resume, auto unwind = nullptr, class T>
  void push(T* object, Keeper keeper = {}) {
    frames_.push(frameOf<resume, unwind>(object, std::move(keeper)));
  }
  /// As above, with resume(run) and unwind(run), which need no object.
  template <auto resume, auto unwind = nullptr>
  void push(Keeper keeper = {}) {
    frames_.push({nullptr, frameFunction<resume, void>, frameFunction<unwind, void>, keeper.detach()});
  }
  /// Pushes a frame that owns its object, and returns that.
  template <auto resume, auto unwind = nullptr, class N>
  N& push(Ref<N> node) {
    N* const object = node.get();
    push<resume, unwind>(object, Keeper(std::move(node)));
    return *object;
  }
  void push(const Frame& frame) { frames_.push(frame); }
  /// Keeps a node alive until everything above has been left.
  void keep(Keeper keeper) {
    if (keeper) frames_.push({nullptr, nullptr, nullptr, keeper.detach()});
  }
  void next(const ProgramNode& program) noexcept { next_ = reinterpret_cast<std::uintptr_t>(&program); }
  /// Of a program that only this run keeps.
  void next(Ref<const ProgramNode> program) noexcept {
    next_ = reinterpret_cast<std::uintptr_t>(program.detach()) | isOwned;
  }
  void park(Parker& parker, const Wait& wait) noexcept {
    if (environment_->hasSlots()) noteWait(wait);
    next_ = reinterpret_cast<std::uintptr_t>(&parker) | isParker;
  }

  /// Starts to unwind: with errors, or, where there are none, as cancelled. They take the place of the value.
  void stop(Errors errors) noexcept {
    if (std::exchange(stopping_, true)) slot_.take<Errors>();
    slot_.put<Errors>(std::move(errors));
  }
  bool stopping() const noexcept { return stopping_; }
  const Errors& stopErrors() const noexcept { return slot_.look<Errors>(); }
  /// Ends the unwinding, for a frame that goes on with something else.
  Errors takeStop() noexcept {
    stopping_ = false;
    return slot_.take<Errors>();
  }

  StopState& stopState() const noexcept { return environment_->stop(); }
  bool stopRequested() const noexcept { return stopState().requested(); }
  /// Stops, as cancelled, where that has been requested; whether it has. Precondition: holds no value.
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

  /// Goes into the branches of a Gather, or out again, to where it was before, which this returns.
  Gather* enterBranches(Gather* gather, const Environment& environment) noexcept {
    environment_ = &environment;
    return std::exchange(gather_, gather);
  }

  /// Changes the executor for good, though not yet the thread. The run holds it until it moves on or ends.
  void moveTo(Executor& executor) noexcept {
    if (executor_ != &executor) moveAway(executor.core());
  }
  /// What its executor refused goes on where it is, so that finalizers can still run.
  void stayHere() noexcept { moveTo(Executor::inlined()); }

  /// For blocks, as the last thing in a step or a frame: takes the step, which counts as one of a program's.
  void takeStep(const void* self, FrameFunction* step) {
    if (!countStep()) return takeStepLater(self, step);
    step(self, *this);
  }
  /// Counts a step of the calling thread; false, and nothing is counted, where it is to be taken in another
  /// turn. Not to be inlined into coroutines, which may change threads.
  [[gnu::noinline]] static bool countStep() noexcept;
  void takeStepLater(const void* self, FrameFunction* step);

  /// The loop: until the run ends, is parked or makes way for others.
  void execute() noexcept override;

  /// Stops a parked run, or one before its first step, with ExecutorStopped, and goes on with it here. One
  /// that has made way for others is stopped at its next look at requests to stop.
  void refuse() noexcept override;

  /// Goes on with a parked run, which must hold no value, on its executor: in place where the caller is there
  /// already, though never inside the step that called this.
  void resume() noexcept;
  /// Goes on with a parked run on this thread.
  void resumeHere() noexcept;

 protected:
  Run(const Environment& environment, Executor& executor) noexcept { begin(environment, executor); }
  Run() noexcept = default;
  ~Run() {
    if (holdsOther_) other_->letGo();
    if (holds_) executor_->letGo();
  }

  /// Before the first step, of a run that was made without them.
  void begin(const Environment& environment, Executor& executor) noexcept {
    environment_ = &environment;
    executor_ = &executor;
  }

  /// Of an executor that only this run holds.
  void holdExecutor() noexcept {
    executor_->hold();
    holds_ = true;
  }
  /// Of a run that has ended: what keeps its executor.
  ExecutorHold takeHold() noexcept {
    if (holdsOther_) dropOther();
    return std::exchange(holds_, false) ? ExecutorHold::adopt(*executor_) : ExecutorHold();
  }

  /// Takes the run over, which has ended: either a value is in it, or it is stopping.
  virtual void ended() noexcept = 0;

 private:
  /// Notes what the run waits for, until it goes on, where it is in a named program.
  void noteWait(const Wait& wait);

  static constexpr std::uintptr_t isOwned = 1, isParker = 2, madeWay = 4;
  static constexpr std::uintptr_t marks = isOwned | isParker | madeWay;
  static_assert(alignof(ProgramNode) > marks && alignof(Parker) > marks);

  /// What a run that makes way goes on with in its next turn, where an observer is told of that; else `next`.
  std::uintptr_t observedTurn(std::uintptr_t next);
  /// The run goes on at once, and not with that.
  void endObservedTurn(std::uintptr_t turn) noexcept;

  bool executeToEnd() noexcept;
  bool makesWay(std::uintptr_t next) noexcept;
  void stopSoon() noexcept;
  void moveAway(Executor& core) noexcept;
  void dropOther() noexcept {
    std::exchange(other_, nullptr)->letGo();
    holdsOther_ = false;
  }

  void enter(const Environment& environment, Keeper keeper);

  FrameStack frames_;
  Slot slot_;  ///< the value, or, where the run is stopping, Errors
  /// What the last step has asked for: a program or a parker, as the lowest bits say; or 0, for a value.
  /// `madeWay` marks the program of a run that was posted when its turn was over.
  std::uintptr_t next_ = 0;
  const Environment* environment_ = nullptr;
  Executor* executor_ = nullptr;
  Executor* other_ = nullptr;  ///< where it was before
  Gather* gather_ = nullptr;   ///< the innermost one of whose branches this is in
  bool holds_ = false;         ///< its executor; else the run's starter does
  bool holdsOther_ = false;    ///< `other_`, unless the run's starter does
  bool stopping_ = false;      ///< last, for what derived classes put beside it
};

}  // namespace tapestry::detail
