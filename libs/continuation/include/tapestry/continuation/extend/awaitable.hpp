// Names Await and Awaitable, with which blocks of direct style await further kinds of programs.
#pragma once

#include "tapestry/continuation/detail/awaitable.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// Await<P>, to be specialised as tapestry::detail::Await<P>: the program that is run for a P, and the value
/// of the await at a Location.
using detail::Await;
/// Types that a block can await: programs, tuples and pairs of them, types with a function toProgram(x).
using detail::Awaitable;
/// The block that contains the await.
using detail::StoppableBlock;

}  // namespace tapestry::extend
#pragma GCC visibility pop
