// Names Gather, which runs n programs as branches of a run, and the programs that are built on it.
#pragma once

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"
#include "tapestry/continuation/parallel/detail/gather_branches.hpp"
#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The base of a parallel combinator: start(index, run) gives a run the program of a branch, collect(index,
/// run) takes the outcome out of the run and returns whether the other branches shall be asked to stop. The
/// parent continues when all branches have ended.
using detail::Gather;
/// Joined<Branches, Finish> is the program that runs branches in parallel, calls Finish::finish in the run
/// when all have ended, and yields a Finish::ValueType. GatherTuple has branches of several types, and
/// GatherRange has a std::vector of programs: their finish(run, outcomes, decisive) gets all outcomes, and
/// the index of the first that has stopped the other branches, or std::size_t(-1) if none has. GatherTraverse
/// makes its branches from the elements of a range: its finish(run, outcomes, exhausted) gets the kept
/// outcomes, and whether the range had no further element. The first parameter of the three, the judge, says
/// which outcomes stop the other branches; with NeverFails these are the outcomes without a value.
using detail::GatherRange;
using detail::GatherTraverse;
using detail::GatherTuple;
using detail::Joined;
using detail::NeverFails;
/// The outcomes that GatherTraverse keeps: all, or those without a value or with something to release.
using detail::AllOutcomes;
using detail::LeftOutcomes;
/// For a finish that yields no value, and has called run.stop(Errors()) or stopped the run with errors of its
/// own: adds the errors of the outcomes, and runs the finalizers of values that must not be dropped.
using detail::finalizeAll;

}  // namespace tapestry::extend
#pragma GCC visibility pop
