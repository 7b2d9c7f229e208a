// Defines Mutex, a lock that one run at a time holds.
#pragma once

#include "tapestry/raii/do.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs get the lock in the order of arrival. Copies share the mutex. Usable from several threads at once,
/// and by runs on any executors; a waiting run blocks no thread, and continues on its own executor, never
/// inside the release that wakes it. A run that holds the lock and requests it again waits for ever.
class Mutex {
 public:
  Mutex();

  /// Holds the lock until the end of the scope. A request to stop ends the wait, unless masked. Taking a free
  /// lock costs no allocation in a run.
  [[nodiscard("a program does nothing until it is run")]] Do<void> lock(
      detail::Location location = detail::Location::current()) const;

  /// The same without waiting: yields whether the run got the lock; false if another run holds it.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> tryLock() const;

  /// Runs the program in a separate scope, and holds the lock from before it begins until it and all its
  /// releases have ended.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withLock(
      const Do<A>& program, detail::Location location = detail::Location::current()) const {
    return lock(location).flatMap([program] { return program; }).run();
  }
  void withLock(...) const = delete;  // expected a Do

  /// Whether a run holds the lock; may be outdated on return.
  bool isLocked() const noexcept;

 private:
  detail::PermitRequest lock_;  ///< for the only permit
};

}  // namespace tapestry
#pragma GCC visibility pop
