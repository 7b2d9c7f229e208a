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
/// Programs that yield the outcomes of all branches: of programs of several types (GatherTuple), of a
/// std::vector of programs (GatherRange), and of the elements of a range (GatherTraverse). Their first
/// parameter, the judge, says which outcomes stop the other branches: NeverFails, each outcome without a
/// value. Joined passes these outcomes to a function.
using detail::GatherRange;
using detail::GatherTraverse;
using detail::GatherTuple;
using detail::Joined;
using detail::NeverFails;
/// The values of GatherTuple and GatherRange, and the outcomes that GatherTraverse keeps: all, or those
/// without a value or with something to release.
using detail::AllOutcomes;
using detail::Gathered;
using detail::LeftOutcomes;

}  // namespace tapestry::extend
#pragma GCC visibility pop
