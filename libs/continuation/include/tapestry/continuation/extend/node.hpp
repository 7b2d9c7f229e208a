// Names Node, Ref and makeRef, for objects that programs and runs share and that outlive a step.
#pragma once

#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The reference-counted base of shared objects, created with one reference. Its memory is from a pool of the
/// thread; the last release destroys a chain of nodes without recursion.
using detail::Node;
/// A base for objects from the same pool, without a reference count.
using detail::Pooled;
/// A reference-counting pointer to a Node. `detach()` gives its reference to the caller.
using detail::makeRef;
using detail::Ref;

}  // namespace tapestry::extend
#pragma GCC visibility pop
