// Names Task, which an executor executes, and drive, which executes it.
#pragma once

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// Is executed once. `nextTask` links it into the queue of the executor that has taken it.
using detail::Task;
/// Executes the task, and all tasks that it makes ready, on the calling thread. An executor calls drive once
/// for each task that it has taken, or task.refuse() if it will never do so.
using detail::drive;

}  // namespace tapestry::extend
#pragma GCC visibility pop
