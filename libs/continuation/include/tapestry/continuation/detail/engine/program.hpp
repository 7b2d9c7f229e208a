// Defines Program, the concept of types that a run can execute, and calls of user functions that must not
// throw.
#pragma once

#include <concepts>
#include <source_location>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/monad/detail/call.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

using Location = std::source_location;

/// A place that is never shown.
struct Nowhere {
  Nowhere(const Location&) noexcept {}
  operator Location() const noexcept { return {}; }
};

/// Stands for the value make() where a member is constructed, so that no value is moved there.
template <class Make>
struct InPlace {
  const Make& make;
};

/// `step(run, keeper)` starts the program in the run. The keeper keeps the program itself alive, or is empty
/// where the program's owner does; the step gives it to the frame that refers to the program, or drops it.
template <class P>
concept Program = requires(const P& program, Run& run, Keeper keeper) {
  typename P::ValueType;
  program.step(run, std::move(keeper));
};

template <class P, class A>
concept ProgramOf = Program<P> && std::is_same_v<typename P::ValueType, A>;

/// Starts a program that its owner keeps; a FrameFunction.
template <Program P>
void stepBorrowed(const void* program, Run& run) {
  static_cast<const P*>(program)->step(run, {});
}

/// A program that yields at once, without frames or a run.
template <class P>
concept SyncProgram = Program<P> && requires(const P& program) {
  { program.eval() } -> std::same_as<Stored<typename P::ValueType>>;
};

/// Ends the process with a message that names the operation, its argument, the place in the user's source, if
/// known, and the exception that is being handled. For a "function" the message recommends Do.
[[noreturn]] void functionThrew(const char* operation, const Location& location,
                                const char* given = "function") noexcept;
/// As functionThrew, for the callback of onComplete.
[[noreturn]] void callbackThrew(const Location& location) noexcept;

/// Returns the function's result. For uses of a user's argument that must not throw.
template <class F>
std::invoke_result_t<F> noThrow(const char* operation, const Location& location, const char* given,
                                F function) noexcept {
  try {
    return function();
  } catch (...) {
    functionThrew(operation, location, given);
  }
}

/// Returns a copy of a user's value.
template <class A>
A copyNoThrow(const char* operation, const Location& location, const A& value) noexcept {
  return noThrow(operation, location, "value", [&value] { return A(value); });
}

/// As call, for a function that must not throw, since a UnitContinuation has no channel for errors.
template <class A, class F>
Stored<ResultOf<F, A>> callNoThrow(const char* operation, const Location& location, const F& function,
                                   Stored<A>&& value) noexcept {
  try {
    return call<A>(function, std::move(value));
  } catch (...) {
    functionThrew(operation, location);
  }
}

/// A value that must not be dropped: when a run that holds it is asked to stop, the run executes the
/// finalizer that `abandon` returns, and stops with the value's own errors and those of the finalizer.
template <class A>
concept Abandonable = requires(A& value) {
  value.abandon().node();
  { value.errors() } -> std::same_as<Errors>;
};

/// Returns whether the run must stop instead of beginning a program that yields an A. A program of an
/// Abandonable begins in any case, since it may already hold the value.
template <class A>
bool stopsBefore(const Run& run) noexcept {
  return !Abandonable<A> && run.stopRequested();
}

/// The step of a program that yields at once: puts its value, unless the run has been asked to stop.
template <SyncProgram P>
void stepAtOnce(const P& program, Run& run) {
  using A = Stored<typename P::ValueType>;
  if (stopsBefore<A>(run))
    run.stop(Errors());
  else
    run.put<A>(program.eval());
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
