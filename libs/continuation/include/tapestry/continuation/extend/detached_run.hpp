// Names DetachedRun, a run that another run starts and that may outlive it.
#pragma once

#include "tapestry/continuation/detail/engine/detached_run.hpp"

namespace tapestry::extend {

/// The base of a run on behalf of several waiters, such as the opening of a shared value. It works where its
/// starter does, with the starter's clock and slots, and is its own stop.
using detail::DetachedRun;

}  // namespace tapestry::extend
