// Names At and notePlace, by which programs of one's own add places to the traces of errors.
#pragma once

#include "tapestry/continuation/monad/detail/at.hpp"

namespace tapestry::extend {

/// An operation and where the user's source calls it: called with an error that passes there, it adds the
/// place to the error's trace, and returns the error.
using detail::At;
/// The same of a place that may have a name.
using detail::notePlace;

}  // namespace tapestry::extend
