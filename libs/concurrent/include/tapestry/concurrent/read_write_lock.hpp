// Defines ReadWriteLock, a lock that one writer or several readers hold.
#pragma once

#include "tapestry/raii/do.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs get the lock in the order of arrival; readers that arrive one after the other hold it together. A
/// reader that arrives while a writer waits comes after the writer, so neither kind starves. Copies share the
/// lock. Usable from several threads at once, and by runs on any executors; a waiting run blocks no thread,
/// and continues on its own executor, never inside the release that wakes it. A run that holds the lock and
/// requests it again, as a writer or behind a writer, waits for ever.
class ReadWriteLock {
 public:
  ReadWriteLock();

  /// Holds the lock, beside other readers, until the end of the scope. A request to stop ends the wait,
  /// unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> readLock(
      detail::Location location = detail::Location::current()) const;
  /// Holds the lock alone until the end of the scope. A request to stop ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<void> writeLock(
      detail::Location location = detail::Location::current()) const;

  /// Runs the program in a separate scope, and holds the lock from before it begins until it and all its
  /// releases have ended.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withReadLock(
      const Do<A>& program, detail::Location location = detail::Location::current()) const {
    return readLock(location).flatMap([program] { return program; }).run();
  }
  void withReadLock(...) const = delete;  // expected a Do
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withWriteLock(
      const Do<A>& program, detail::Location location = detail::Location::current()) const {
    return writeLock(location).flatMap([program] { return program; }).run();
  }
  void withWriteLock(...) const = delete;  // expected a Do

  /// Whether a reader or a writer holds the lock; may be outdated on return.
  bool isLocked() const noexcept;

 private:
  detail::PermitRequest write_;  ///< for all permits
  detail::PermitRequest read_;   ///< for one of them
};

}  // namespace tapestry
#pragma GCC visibility pop
