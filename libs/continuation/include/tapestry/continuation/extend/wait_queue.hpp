// Names WaitQueue and Waiter, with which runs wait in a queue and leave it when asked to stop, and OpenOnce.
#pragma once

#include "tapestry/continuation/detail/wait_queue.hpp"
#include "tapestry/continuation/extend/program.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A first-in, first-out queue. Its owner guards its own state with `queue.lock`, too.
using detail::WaitQueue;
/// The place of one run in a queue, and its parker. enter(), called under the lock, returns whether the run
/// can continue without waiting. A frame of the run owns the waiter, and calls leave() first when the run
/// continues; leave() returns true if a request to stop has ended the wait.
using detail::Waiter;
/// A base of states that the first run opens while other runs wait. A run parks at an OpenWaiter, and enters
/// again when it continues.
using detail::Entry;
using detail::OpenOnce;
using detail::OpenWaiter;
using detail::Phase;
/// Wakes waiters that the owner has taken from the queue, by popAll, popWhile or take, each on its executor.
/// To be called without the lock.
using detail::wakeAll;
/// For critical sections of a few instructions that run no user code.
using detail::SpinGuard;
using detail::SpinLock;

}  // namespace tapestry::extend
#pragma GCC visibility pop
