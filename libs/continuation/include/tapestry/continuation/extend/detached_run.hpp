// Names DetachedRun, a run that another run starts and that may outlive it.
#pragma once

#include "tapestry/continuation/detail/engine/detached_run.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The base of a run on behalf of several waiters, such as the opening of a shared value. It uses its
/// starter's executor, clock and slots, and has a separate stop state.
using detail::DetachedRun;

}  // namespace tapestry::extend
#pragma GCC visibility pop
