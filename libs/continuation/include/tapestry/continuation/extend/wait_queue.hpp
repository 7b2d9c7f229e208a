// Names WaitQueue and Waiter, by which runs wait in turn, and leave when they are asked to stop, and
// OpenOnce.
#pragma once

#include "tapestry/continuation/detail/open_once.hpp"
#include "tapestry/continuation/detail/wait_queue.hpp"
#include "tapestry/continuation/extend/program.hpp"

namespace tapestry::extend {

/// First come, first served. Its owner guards its own state by `queue.lock`, too.
using detail::WaitQueue;
/// The place of one run in a queue, and its parker. enter(), called under the lock, says whether the run need
/// not wait. A frame of the run owns the waiter, and calls leave() first when the run goes on: true where a
/// request to stop has ended the wait.
using detail::Waiter;
/// A base of states of which the first run that comes is the opener, while other runs wait. A run parks at an
/// OpenWaiter, and enters again when it goes on.
using detail::Entry;
using detail::OpenOnce;
using detail::OpenWaiter;
using detail::Phase;
/// Goes on with all that queue.popAll() gave, each on its executor. To be called without the lock.
using detail::wakeAll;
/// For critical sections of a few instructions, in which nothing of the user's runs.
using detail::SpinGuard;
using detail::SpinLock;

}  // namespace tapestry::extend
