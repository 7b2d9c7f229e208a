// Defines DetachedRun, a run that another run starts and that may outlive it.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/parallel/detail/group_member.hpp"

namespace tapestry::detail {

/// The run works where its starter does, with the starter's clock and other slots, and keeps what it needs of
/// them. A pool that it works on waits for it. It is its own stop: the starter's stop is not linked to it.
/// Born with one reference, and holds a second one while it is under way.
class DetachedRun : public StopState {
 public:
  /// Executes the program until it ends or waits; inside another such call, later on this thread, so that
  /// the native stack does not grow. The frame takes the program's value, or its stop, and puts a Unit. The
  /// program and the frame's object must live as long as this. Precondition: the caller is being driven.
  void start(const Frame& frame, const ProgramNode& program) noexcept;

  /// As start, but the starter goes on first: the program begins on another thread of the executor, or, where
  /// the starter has no workers, on this thread when the starter waits, ends or makes way.
  void startBeside(const Frame& frame, const ProgramNode& program) noexcept;

  /// As start, for a starter that goes on when this has ended. If the starter is asked to stop meanwhile,
  /// `leave()` says whether it has left; then this returns true. In a confined slot the starter is masked.
  template <class F>
  [[nodiscard]] bool startAndLeave(Run& starter, const Frame& frame, const ProgramNode& program, F leave);

  /// Whether a run with this environment is part of this run, or of a detached run that it has started.
  bool contains(const Environment& environment) const noexcept;

 protected:
  explicit DetachedRun(const Run& starter) noexcept;

 private:
  void prepare(const Frame& frame, const ProgramNode& program) noexcept;

  class Execution final : public Run {
   public:
    explicit Execution(DetachedRun& self) noexcept : self_(self) {}
    using Run::begin;
    using Run::takeHold;

   private:
    void ended() noexcept override { self_.ended(); }
    DetachedRun& self_;
  };

  void ended() noexcept;

  template <class F>
  struct Leaver final : StopListener {
    explicit Leaver(F& function) noexcept : leave(function) {}
    void onStop() noexcept override { left = leave(); }
    F& leave;
    bool left = false;
  };

  ExecutorHold executor_;  ///< empty once the run has ended, as the next one
  ExecutorHold workers_;
  const Ref<const Node> slotsKeeper_;
  const Ref<const DetachedRun> outer_;  ///< its starter, if that is a detached run
  const SlotLink link_;                 ///< marks, in the chain of slots, what is part of this run
  const Environment environment_;
  Ref<GroupMember> member_;  ///< null where no executor waits for its runs
  Execution run_{*this};
};

template <class F>
bool DetachedRun::startAndLeave(Run& starter, const Frame& frame, const ProgramNode& program, F leave) {
  const SlotLink* const slots = starter.environment()->slots();
  // this must not outlive the scope of a confined slot, which the starter is in
  if (slots && slots->confined) enterMask(starter);
  Leaver<F> leaver(leave);
  StopState& stop = starter.stopState();
  if (!stop.add(leaver)) leaver.onStop();
  start(frame, program);
  stop.remove(leaver);
  return leaver.left;
}

}  // namespace tapestry::detail
