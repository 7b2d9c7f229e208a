#include "tapestry/continuation/detail/wait_queue.hpp"

namespace tapestry::detail {

template class BasicWaiter<Atomics, Run>;

}  // namespace tapestry::detail
