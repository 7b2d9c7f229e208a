// Defines Event, a flag that runs wait for.
#pragma once

#include "tapestry/concurrent/detail/event_state.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// A flag that is born unset. Setting it wakes all runs that wait for it. Copies are the same event. Usable
/// from several threads at once, and by runs on any executors; a waiting run blocks no thread, and goes on on
/// its own executor, never inside the call that made that possible.
class Event {
 public:
  Event();

  /// Goes on once the event is set, at once if it is. A request to stop ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> wait(
      detail::Location location = detail::Location::current()) const;

  /// Sets the event, also from a thread without runs; false if it was set already.
  bool set() const noexcept;
  /// Later waits wait again; false if the event was not set. Runs that an earlier set() has woken go on.
  bool reset() const noexcept;
  /// Whether it was set a moment ago.
  bool isSet() const noexcept;

 private:
  detail::Ref<detail::EventState> state_;
};

}  // namespace tapestry
