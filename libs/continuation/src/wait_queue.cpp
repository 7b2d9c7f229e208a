#include "tapestry/continuation/detail/wait_queue.hpp"

#include <thread>

namespace tapestry::detail {

template class BasicWaiter<Atomics, Run>;

void SpinLock::pause() noexcept { std::this_thread::yield(); }

}  // namespace tapestry::detail
