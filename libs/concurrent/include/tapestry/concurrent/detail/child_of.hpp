// Defines ChildOf, a run that a supervisor has started, and the programs with which handles wait for it.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "tapestry/concurrent/deferred.hpp"
#include "tapestry/concurrent/detail/supervisor_state.hpp"
#include "tapestry/continuation/extend/trace.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/extend/returning_release.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Task;

/// The error of joining a task that was cancelled.
struct TaskCancelled : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

/// The error of a task that waits for itself.
std::exception_ptr taskWaitsForItself(const char* operation, const std::string& name);

/// The error of a spawn within a pass by a supervisor that may outlive the pass.
std::exception_ptr outlivesSlot();

template <class A>
class ChildOf final : public Child {
  using Acquired = extend::Acquired<A>;

 public:
  ChildOf(Ref<SupervisorState> supervisor, const Run& starter, const Do<A>& program, std::string childName)
      : Child(std::move(supervisor), starter, std::move(childName)),
        program_(program.run().acquire().node()) {}

  void start(const Location& location) noexcept {
    startBeside(frameOf<&ChildOf::hasEnded, &ChildOf::wasStopped>(this), *program_, location);
  }

 private:
  void hasEnded(Run& run) {
    auto acquired = run.take<Acquired>();
    if (!acquired.value.hasValue()) return failed(run, acquired.value.error());
    settle(run, std::move(acquired.value), nullptr);
  }
  void wasStopped(Run& run) { failed(run, run.takeStop().toException()); }
  /// No error, and Cancelled alone, are those of a child that was cancelled.
  void failed(Run& run, const std::exception_ptr& all) {
    const std::exception_ptr error = withoutCancelled(all);
    settle(run, Try<A>::failure(error ? error : cancellation()), error);
  }
  void settle(Run& run, Try<A> result, std::exception_ptr error) {
    program_ = nullptr;
    end(makeRef<const DeferredResult<A>>(std::move(result)), std::move(error));
    run.put(Unit{});
  }

  Ref<const ProgramNode> program_;  ///< until it has ended
};

/// Starts the child, and yields a handle to it.
template <class A>
class [[nodiscard("a program does nothing until it is run")]] SpawnChild
    : public ProgramOperations<SpawnChild<A>> {
  using Handle = tapestry::Task<A>;

 public:
  using ValueType = extend::Acquired<Handle>;

  SpawnChild(Ref<SupervisorState> supervisor, Do<A> program, std::string name, Location location)
      : supervisor_(std::move(supervisor)),
        program_(std::move(program)),
        name_(std::move(name)),
        place_{"Supervisor::spawn", location} {}

  void step(Run& run, Keeper keeper) const {
    const Keeper kept = std::move(keeper);
    if (run.stopIfRequested()) return;
    const SlotLink* const slots = run.environment()->slots();
    if (slots && slots->confined && !supervisor_->isConfined())
      return run.put(ValueType{Try<Handle>::failure(place_(outlivesSlot())), {}});
    auto child = makeRef<ChildOf<A>>(supervisor_, run, program_, name_);
    if (!supervisor_->add(*child)) {
      // a request to stop may be why no child is taken
      if (run.stopIfRequested()) return;
      return run.put(ValueType{Try<Handle>::failure(place_(supervisor_->refusal())), {}});
    }
    child->start(place_.location);
    run.put(ValueType{Try<Handle>::success(Handle(std::move(child))), {}});
  }

 private:
  Ref<SupervisorState> supervisor_;
  Do<A> program_;
  std::string name_;
  extend::At place_;
};

/// Waits for the end of a child; fails if the waiting run is part of the child.
template <class P>
class [[nodiscard("a program does nothing until it is run")]] UnlessWithin
    : public ProgramOperations<UnlessWithin<P>> {
 public:
  using ValueType = typename P::ValueType;

  UnlessWithin(Ref<Child> child, const char* operation, P program)
      : child_(std::move(child)), operation_(operation), program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    if (!child_->contains(*run.environment())) return program_.step(run, std::move(keeper));
    const Keeper kept = std::move(keeper);
    run.put(ValueType{decltype(ValueType::value)::failure(taskWaitsForItself(operation_, child_->name)), {}});
  }

 private:
  Ref<Child> child_;
  const char* operation_;
  P program_;
};

/// The release of an error that a join has yielded. Where the error is dropped, as by a race that another
/// branch has won, the error fails the supervisor again.
class JoinedError final : public extend::ReturningRelease {
 public:
  explicit JoinedError(const Child& child) noexcept : child_(Ref<const Child>::share(&child)) {}

  bool takeBack(void* value, const void*) const noexcept override {
    if (value) child_->noteDropped();
    return true;
  }

 private:
  const Ref<const Child> child_;
};

/// A run that waits for the result of a child. It delivers the error, which then does not fail the
/// supervisor.
template <class A>
class JoinWaiter : public DeferredWaiter<A> {
 public:
  using Request = Ref<Child>;
  explicit JoinWaiter(const Request& child) noexcept : DeferredWaiter<A>(child->ended), child_(*child) {}

  extend::Acquired<A> served() const {
    auto result = DeferredWaiter<A>::served();
    if (result.value.error()) {
      child_.noteJoined();
      result.release = UnitContinuation<Errors>(Ref<const ProgramNode>(makeRef<const JoinedError>(child_)));
    }
    return result;
  }

 private:
  Child& child_;
};

}  // namespace detail
}  // namespace tapestry
#pragma GCC visibility pop
