#include "tapestry/concurrent/supervisor.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace detail {

namespace {

/// Yields the state that a supervisor takes over from the run.
class [[nodiscard("a program does nothing until it is run")]] AskOpener
    : public ProgramOperations<AskOpener> {
 public:
  using ValueType = extend::Acquired<Opener>;

  void step(Run& run, Keeper keeper) const {
    const Keeper kept = std::move(keeper);
    if (run.stopIfRequested()) return;
    StopState& stop = run.stopState();
    const SlotLink* const slots = run.environment()->slots();
    Opener opener{Ref<StopState>::share(stop.isUnaskable() ? nullptr : &stop), stop.branchOf(run),
                  DetachedRun::enclosing(*run.environment()), slots && slots->confined};
    run.put(ValueType{Try<Opener>::success(std::move(opener)), {}});
  }
};

Do<Opener> askOpener() { return Do<Opener>(AskOpener()); }

}  // namespace

}  // namespace detail

const char* TaskCancelled::what() const noexcept { return "tapestry: the task was cancelled"; }

std::exception_ptr detail::taskWaitsForItself(const char* operation, const std::string& name) {
  return std::make_exception_ptr(std::logic_error(
      "tapestry::Task::" + std::string(operation) + ": the task" + (name.empty() ? "" : " \"" + name + "\"") +
      " waits for its own end, which would never come, expected another run to wait"));
}

std::exception_ptr detail::outlivesSlot() {
  return std::make_exception_ptr(std::logic_error(
      "tapestry::Supervisor::spawn: the task may outlive the pass that it is spawned in, expected a "
      "supervisor of a scope within the pass"));
}

Do<Supervisor> Supervisor::scoped(SupervisorOptions options, detail::Location location) {
  const bool failFast = options.onError == SupervisorOptions::OnError::failFast;
  // asked before the acquire of the resource, which is masked
  return detail::askOpener().flatMap([options, failFast, location](const detail::Opener& opener) {
    const auto open = Do<Supervisor>::delay([opener, failFast] {
      auto state = detail::makeRef<detail::SupervisorState>(failFast, opener);
      state->startListening();
      return Supervisor(std::move(state));
    });
    return resource(open, [options, location](const Supervisor& supervisor) {
      return supervisor.end(options, location);
    });
  });
}

Do<void> Supervisor::end(SupervisorOptions options, detail::Location location) const {
  state_->closeWhenEmpty();
  if (options.onExit == SupervisorOptions::OnExit::cancel) state_->cancelAll();
  // the wait fails where the executor has been stopped: the children have ended then, too
  return extend::waitFor<void, detail::EndWaiter>(state_->allEnded, "Supervisor: its children", location)
      .attempt()
      .flatMap([state = state_](const Try<void>& waited) -> Do<void> {
        state->stopListening();
        Errors errors = state->takeErrors();
        if (waited.error()) errors.append(waited.error());
        return errors.empty() ? Do<void>::now() : Do<void>::raiseError(errors.toException());
      });
}

}  // namespace tapestry
