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

/// Writes a line for each run, and each of its parallel branches, that is in a program with a name, to find
/// those that hang: the names with the places that gave them, from the innermost to the outermost, and what
/// the run waits for and where, or that it is at work; a branch at work is not listed beside those of the
/// same name that wait. Runs outside of named programs, and those before their first step, are not listed.
/// From any thread, in a debugger too: call tapestry::dumpRuns(std::cerr).
///
///     "query" (server.cpp:40) in "request" (server.cpp:63): waits for async (database.cpp:17)
///
/// Cost: a name costs each run two locks and one allocation, each wait in it one allocation and two short
/// locks; programs without names pay for nothing.
void dumpRuns(std::ostream& out);

}  // namespace tapestry
