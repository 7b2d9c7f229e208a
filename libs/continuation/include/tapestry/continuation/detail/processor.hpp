// Defines currentProcessor and leaveProcessor, with which a thread leaves the processor of the thread that it
// helps.
#pragma once

#ifdef __linux__
#include <sched.h>
#endif

#pragma GCC visibility push(default)
namespace tapestry::detail {

#ifdef __linux__
/// The processor that runs the calling thread.
inline int currentProcessor() noexcept { return ::sched_getcpu(); }

/// Moves the calling thread to another of its processors, if there is one; it may come back. The thread keeps
/// its set of processors, but gets no processors that the process is given later.
inline void leaveProcessor(int processor) noexcept {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<unsigned>(processor), &others);
  if (CPU_COUNT(&others) == 0 || ::sched_setaffinity(0, sizeof others, &others) != 0) return;
  ::sched_setaffinity(0, sizeof allowed, &allowed);
}
#else
inline int currentProcessor() noexcept { return -1; }
inline void leaveProcessor(int) noexcept {}
#endif

}  // namespace tapestry::detail
#pragma GCC visibility pop
