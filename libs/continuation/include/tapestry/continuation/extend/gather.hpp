// Names Gather, which runs n programs as branches of a run, and the programs that are made of it.
#pragma once

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"
#include "tapestry/continuation/parallel/detail/gather_branches.hpp"
#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

namespace tapestry::extend {

/// The base of a parallel combinator: start(index, run) gives a run the program of a branch, collect(index,
/// run) takes the outcome out of it and says whether the other branches shall be asked to stop. The parent
/// goes on when all have ended.
using detail::Gather;
/// Of programs of several types, of a std::vector of programs, and of the elements of a range: programs that
/// yield the outcomes of all branches. A judge, their first parameter, says which outcome decides: NeverFails
/// lets all go on. Joined goes on with a function of these outcomes.
using detail::GatherRange;
using detail::GatherTraverse;
using detail::GatherTuple;
using detail::Joined;
using detail::NeverFails;
/// What GatherTuple and GatherRange yield, and what GatherTraverse keeps: all outcomes, or those without a
/// value.
using detail::AllOutcomes;
using detail::Gathered;
using detail::LeftOutcomes;

}  // namespace tapestry::extend
