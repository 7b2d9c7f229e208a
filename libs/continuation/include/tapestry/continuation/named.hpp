// Defines Named, the program behind ProgramOperations::named, and dumpRuns, which tells what named runs wait
// for.
#pragma once

#include <iosfwd>

#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

namespace tapestry {

namespace detail {

template <class P>
class [[nodiscard("a program does nothing until it is run")]] Named : public ProgramOperations<Named<P>> {
 public:
  using ValueType = typename P::ValueType;

  Named(P program, Ref<const ProgramName> name) : program_(std::move(program)), name_(std::move(name)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    enterName(run, name_);
    program_.step(run, {});
  }

 private:
  P program_;
  Ref<const ProgramName> name_;
};

}  // namespace detail

/// Writes the tree of the programs with names that runs are in, to find those that hang: the name with the
/// place that gave it, and what a run in it waits for and where, or that it is at work; below it the named
/// programs that it is in the middle of. A program in which several branches wait has a line for each; those
/// at work are not listed beside them. Runs before their first step are not listed, and runs and branches
/// without names only where trackRuns(true) was called before they began
/// (tapestry/continuation/track_runs.hpp). From any thread, in a debugger too: call
/// tapestry::dumpRuns(std::cerr).
///
///     "request" (server.cpp:63): waits for its parallel branches (server.cpp:58)
///       "query" (server.cpp:40): waits for async (database.cpp:17)
///       "image" (server.cpp:41): at work
///
/// Cost: a name costs each run two locks and one allocation, each wait in it one allocation and two short
/// locks; programs without names pay for nothing.
void dumpRuns(std::ostream& out);

}  // namespace tapestry
