// Names Node, Ref and makeRef, by which programs and runs share what outlives a step.
#pragma once

#include "tapestry/continuation/detail/engine/node.hpp"

namespace tapestry::extend {

/// The counted base of what several owners share, born with one reference. Its memory is from a pool of the
/// thread; the last release destroys a chain of nodes without recursion.
using detail::Node;
/// Memory from the same pool, without a count.
using detail::Pooled;
/// A counted pointer to a Node. `detach()` gives its reference to the caller.
using detail::makeRef;
using detail::Ref;

}  // namespace tapestry::extend
