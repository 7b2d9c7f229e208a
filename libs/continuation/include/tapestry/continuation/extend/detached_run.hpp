// Names DetachedRun, a run that another run starts and that may outlive it.
#pragma once

#include "tapestry/continuation/detail/engine/detached_run.hpp"

namespace tapestry::extend {

/// The base of what runs on behalf of several waiters, such as the opening of what they share. It works where
/// its starter does, with the starter's clock and slots, and is its own stop.
using detail::DetachedRun;

}  // namespace tapestry::extend
