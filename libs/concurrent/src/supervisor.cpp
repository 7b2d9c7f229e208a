#include "tapestry/concurrent/supervisor.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/raii/scoped.hpp"

namespace tapestry {

const char* TaskCancelled::what() const noexcept { return "tapestry: the task was cancelled"; }

std::exception_ptr detail::taskWaitsForItself(const char* operation, const std::string& name) {
  return std::make_exception_ptr(std::logic_error(
      "tapestry::Task::" + std::string(operation) + ": the task" + (name.empty() ? "" : " \"" + name + "\"") +
      " waits for its own end, which would never come, expected another run to wait"));
}

Do<Supervisor> Supervisor::scoped(SupervisorOptions options) {
  const auto make = Do<Supervisor>::delay([options] {
    return Supervisor(
        detail::makeRef<detail::SupervisorState>(options.onError == SupervisorOptions::OnError::failFast));
  });
  return resource(make, [options](const Supervisor& supervisor) { return supervisor.end(options); });
}

Do<void> Supervisor::end(SupervisorOptions options) const {
  state_->closeWhenEmpty();
  if (options.onExit == SupervisorOptions::OnExit::cancel) state_->cancelAll();
  return state_->allEnded.wait().flatMap([state = state_]() -> Do<void> {
    const Errors errors = state->takeErrors();
    return errors.empty() ? Do<void>::now() : Do<void>::raiseError(errors.toException());
  });
}

}  // namespace tapestry
