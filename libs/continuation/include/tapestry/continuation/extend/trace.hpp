// Names At and notePlace, with which user-defined programs add places to the traces of errors, and objectOf,
// which identifies an error.
#pragma once

#include "tapestry/continuation/monad/detail/at.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// An operation and the place in the user's source that calls it. Called with an error, adds the place to the
/// error's trace and returns the error.
using detail::At;
/// The same for a place that may have a name.
using detail::notePlace;
/// The address of an exception object, which identifies it.
using detail::objectOf;

}  // namespace tapestry::extend
#pragma GCC visibility pop
