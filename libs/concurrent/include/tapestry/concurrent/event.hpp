// Defines Event, a flag that runs wait for.
#pragma once

#include "tapestry/concurrent/detail/completion_cell.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A flag that is unset at first. Setting it wakes all waiters. Copies share the event. Usable from several
/// threads at once, and by runs on any executors; a waiting run blocks no thread, and continues on its own
/// executor, never inside a step of another run.
class Event {
 public:
  Event();

  /// Waits until the event is set, and continues at once if it is. A request to stop ends the wait, unless
  /// masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> wait(
      detail::Location location = detail::Location::current()) const;

  /// Sets the event, also from a thread without runs; false if it was set already.
  bool set() const noexcept;
  /// Unsets the event, so that later waits wait again; false if it was not set. Runs that an earlier set()
  /// has woken continue.
  bool reset() const noexcept;
  /// Whether the event is set; may be outdated on return.
  bool isSet() const noexcept;

 private:
  detail::Ref<detail::CompletionCell> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
