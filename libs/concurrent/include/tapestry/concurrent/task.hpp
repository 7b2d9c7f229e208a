// Defines Task, a handle to a program that a supervisor has started, and TaskCancelled.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/detail/child_of.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class Supervisor;

/// A program that runs beside its starter, returned by Supervisor::spawn. Copies share the task. Usable from
/// several threads at once, and by runs on any executors. Destroying it does not end the program.
template <class A>
class Task {
 public:
  using ValueType = A;

  /// Waits for the end of the program and of all its releases. Yields a copy of its value, or fails with its
  /// error, which then does not fail the supervisor's scope, or with TaskCancelled if it was cancelled. A
  /// request to stop ends the wait, unless masked, and not the task. Fails with std::logic_error within the
  /// task itself.
  [[nodiscard("a program does nothing until it is run")]] Do<A> join(
      detail::Location location = detail::Location::current()) const
    requires std::is_void_v<A> || std::copy_constructible<A>
  {
    using Waits = extend::WaitFor<A, detail::JoinWaiter<A>>;
    return waiting<A>("join", Waits(child_, "Task::join", location));
  }

  /// Asks the program to stop, and waits for its end and the end of all its releases; its errors still fail
  /// the supervisor's scope. Does nothing if it has ended. Within the task itself, fails with
  /// std::logic_error, and does not ask it to stop.
  [[nodiscard("a program does nothing until it is run")]] Do<void> cancel(
      detail::Location location = detail::Location::current()) const {
    const auto end = extend::waitFor<void, detail::EndWaiter>(child_->ended, "Task::cancel", location);
    const auto cancelling = Do<void>::suspend([child = child_, end] {
      child->request();
      return end;
    });
    return waiting<void>("cancel", cancelling.acquire());
  }

  /// Asks the program to stop, and does not wait. Usable from a thread without runs, too.
  void requestStop() const noexcept { child_->request(); }

  /// Whether the program has ended; a false may be outdated on return.
  bool hasEnded() const noexcept { return child_->ended->isComplete(); }
  /// The name given to spawn.
  const std::string& name() const noexcept { return child_->name; }

 private:
  template <class B>
  friend class detail::SpawnChild;
  explicit Task(detail::Ref<detail::Child> child) noexcept : child_(std::move(child)) {}

  template <class B, class P>
  Do<B> waiting(const char* operation, P program) const {
    return Do<B>(detail::UnlessWithin<P>(child_, operation, std::move(program)));
  }

  detail::Ref<detail::Child> child_;
};

}  // namespace tapestry
#pragma GCC visibility pop
