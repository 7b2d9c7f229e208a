// Defines DetachedRun, a run that another run starts and that may outlive it.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/parallel/detail/group_member.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The run uses its starter's executor, clock and other slots, and keeps them alive as needed. A pool on
/// which it works waits for it. It has a separate stop state, not linked to the starter's. Created with one
/// reference; holds a second one while it executes.
class DetachedRun : public StopState {
 public:
  /// Executes the program until it ends or waits; a nested call executes it later on this thread, so that the
  /// native stack does not grow. The frame takes the program's value, or its stop, and puts a Unit. The
  /// program and the frame's object must live as long as this. Precondition: the caller is being driven.
  void start(Frame frame, const ProgramNode& program) noexcept;

  /// As start, but the starter continues first: the program is posted to the executor, or, if the starter has
  /// no workers, begins on this thread when the starter waits, ends or yields to other tasks.
  void startBeside(Frame frame, const ProgramNode& program, const Location& location = {}) noexcept;

  /// As start, for a starter that continues when this run has ended. If the starter is asked to stop
  /// meanwhile, calls `leave()`; returns whether `leave()` returned true, that is, the starter has left. In a
  /// confined slot the starter is masked.
  template <class F>
  [[nodiscard]] bool startAndLeave(Run& starter, Frame frame, const ProgramNode& program, F leave);

  /// Whether a run with this environment is part of this run, or of a detached run that this run waits for.
  bool contains(const Environment& environment) const noexcept;
  /// The innermost detached run that a run with this environment is part of, or null.
  static Ref<const DetachedRun> enclosing(const Environment& environment) noexcept;

 protected:
  /// `waiting` waits for the end of this run, before which it cannot end; null if no detached run does.
  DetachedRun(const Run& starter, Ref<const DetachedRun> waiting) noexcept;
  /// The starter waits for the end of this run.
  explicit DetachedRun(const Run& starter) noexcept
      : DetachedRun(starter, enclosing(*starter.environment())) {}

 private:
  void prepare(Frame&& frame) noexcept;

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

  ExecutorHold executor_;  ///< empty once the run has ended, like workers_
  ExecutorHold workers_;
  const Ref<const Node> slotsKeeper_;
  const Ref<const DetachedRun> waiting_;
  const SlotLink link_;  ///< marks this run in the chain of slots
  const Environment environment_;
  Ref<GroupMember> member_;  ///< null if no executor waits for its runs
  Execution run_{*this};
};

template <class F>
bool DetachedRun::startAndLeave(Run& starter, Frame frame, const ProgramNode& program, F leave) {
  const SlotLink* const slots = starter.environment()->slots();
  // this run must not outlive the scope of a confined slot that the starter is in
  if (slots && slots->confined) enterMask(starter);
  Leaver<F> leaver(leave);
  StopState& stop = starter.stopState();
  if (!stop.add(leaver)) leaver.onStop();
  start(std::move(frame), program);
  stop.remove(leaver);
  return leaver.left;
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
