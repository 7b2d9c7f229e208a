// Names what a program of one's own consists of: Program, ProgramOperations, Run, Frame and Parker.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/engine/step_at_once.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"
#include "tapestry/continuation/extend/node.hpp"

namespace tapestry::extend {

/// A type with a ValueType, and with step(Run& run, Keeper keeper) const, which starts the program in the
/// run.
using detail::Program;
using detail::ProgramOf;
/// The base of program types, which has `map`, `flatMap`, `onComplete`, `blockingAwait` and `named`.
using detail::ProgramOperations;
/// A program that has eval() const besides, which gives the value at once; stepAtOnce(*this, run) is its
/// step.
using detail::stepAtOnce;
using detail::SyncProgram;
/// An erased program, as UnitContinuation::node() gives it.
using detail::ProgramNode;

/// One execution of a program, on one thread at a time. A step, and each function of a frame, leaves the run
/// with exactly one of: a value (put), a program to go on with (next), a parker (park), or a stop (stop, or,
/// in an unwind, the stop that it found).
using detail::Run;
/// Keeps a program alive, or nothing where its owner does. The step gives the keeper to the frame
/// that refers to the program, by run.push<resume, unwind>(this, std::move(keeper)), or to the run, by
/// run.keep(std::move(keeper)), until the frames above have been left; or lets it go.
using detail::Keeper;
/// An entry of the run's stack, for an object that starts a run elsewhere. resume(object, run), or
/// object.resume(run), takes the value that the program above has put; unwind is called in its place where
/// the run stops. A null function lets the value, or the stop, pass by.
using detail::Frame;
using detail::frameOf;
/// Gives the run away, on its thread, and returns false, or true where the run may go on at once. After a
/// false, the owner of the run calls run.resume(), once, from whatever thread.
using detail::Parker;
/// What dumpRuns says of a run that is parked: the operation, and where the user wrote it.
using detail::Wait;
/// Hears of a request to stop, on the thread that asks, from run.stopState().add(listener) until
/// remove(listener). Where the request came before, add returns false, and the listener hears nothing.
using detail::StopListener;
using detail::StopState;

/// From here until everything above has been left, the run does not see requests to stop.
using detail::enterMask;
/// Runs a finalizer, a program of Errors, and goes on stopping with its errors added.
using detail::finalizeStop;
/// Stops the run with a value in hand. A value that must not be dropped, an Abandonable, is finalized.
using detail::Abandonable;
using detail::cancelHolding;

/// Where the user's source calls a function: the type of a last parameter, which defaults to
/// Location::current().
using detail::Location;
/// These call a user's function; an exception ends the process, and names the operation.
using detail::callNoThrow;
using detail::copyNoThrow;
using detail::noThrow;

}  // namespace tapestry::extend
