// Names Await and Awaitable, by which blocks of direct style await another kind of programs.
#pragma once

#include "tapestry/continuation/detail/awaitable.hpp"

namespace tapestry::extend {

/// Await<P>, to be specialised, as tapestry::detail::Await<P>: what is run for a P, and what the await
/// at a Location gives.
using detail::Await;
/// Types that a block can await: programs, tuples and pairs of them, types with a function toProgram(x).
using detail::Awaitable;
/// The block that awaits.
using detail::StoppableBlock;

}  // namespace tapestry::extend
