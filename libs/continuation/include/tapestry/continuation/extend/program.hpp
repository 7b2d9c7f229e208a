// Names the parts of a user-defined program: Program, ProgramOperations, Run, Frame and Parker.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/engine/stop_state.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"
#include "tapestry/continuation/extend/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A type with a ValueType, and with step(Run& run, Keeper keeper) const, which starts the program in the
/// run.
using detail::Program;
using detail::ProgramOf;
/// The base of program types, with `map`, `flatMap`, `onComplete`, `blockingAwait` and `named`.
using detail::ProgramOperations;
/// A program that also has eval() const, which returns the value at once; its step calls stepAtOnce(*this,
/// run).
using detail::stepAtOnce;
using detail::SyncProgram;
/// An erased program, as UnitContinuation::node() gives it.
using detail::ProgramNode;

/// One execution of a program, on one thread at a time. A step, and each function of a frame, leaves the run
/// with exactly one of: a value (put), a program to continue with (next), a parker (park), or a stop (stop,
/// or, in an unwind, the stop already in the run).
using detail::Run;
/// Keeps a program alive, or is empty where the program's owner does. The step gives the keeper to the frame
/// that refers to the program, by run.push<resume, unwind>(this, std::move(keeper)), or to the run, by
/// run.keep(std::move(keeper)), which keep it until the frames above have been left; or the step drops it.
using detail::Keeper;
/// An entry of the run's stack, for an object that starts another run. resume(object, run), or
/// object.resume(run), takes the value that the program above has put; unwind is called instead when the run
/// is stopping. A null function passes the value, or the stop, on.
using detail::Frame;
using detail::frameOf;
/// Gives the run to another owner, on the run's thread, and returns false; or returns true if the run may go
/// on at once. After false, the owner of the run calls run.resume() once, on any thread.
using detail::Parker;
/// The wait of a parked run, for dumpRuns: the operation and its place in the user's source.
using detail::Wait;
/// Is notified of a request to stop, on the requesting thread, from run.stopState().add(listener) until
/// remove(listener). If the request came before, add returns false and the listener is not notified.
using detail::StopListener;
using detail::StopState;
/// As StopListener, for a scope, which may go from a branch to the run around it: listen(state,
/// state.branchOf(run)) with the state of the run that opens the scope.
using detail::ScopeListener;

/// Hides requests to stop from the run until everything above has been left.
using detail::enterMask;
/// Runs a finalizer, a program of Errors, and continues stopping with its errors added.
using detail::finalizeStop;
/// Stops the run while it holds a value. A value that must not be dropped, an Abandonable, is finalized.
using detail::Abandonable;
using detail::cancelHolding;

/// The place in the user's source that calls a function: the type of a last parameter with the default
/// Location::current().
using detail::Location;
/// Functions that call a user's function; an exception ends the process with a message that names the
/// operation.
using detail::callNoThrow;
using detail::copyNoThrow;
using detail::noThrow;

}  // namespace tapestry::extend
#pragma GCC visibility pop
