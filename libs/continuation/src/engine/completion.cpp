#include "tapestry/continuation/detail/engine/completion.hpp"

namespace tapestry::detail {

template class BasicRendezvous<Atomics, Run>;

void Completion::dropHandle() noexcept {
  // acq_rel: the last handle sees the calls made through other handles
  if (handles_.fetch_sub(1, std::memory_order_acq_rel) != 1 || !claim()) return;
  run().stop(Errors(std::make_exception_ptr(BrokenCallback())));
  complete();
}

}  // namespace tapestry::detail
