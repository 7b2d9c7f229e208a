#include "tapestry/raii/detail/shared_gate.hpp"

namespace tapestry::detail {

template class BasicSharedGate<Atomics, Rendezvous>;

}  // namespace tapestry::detail
