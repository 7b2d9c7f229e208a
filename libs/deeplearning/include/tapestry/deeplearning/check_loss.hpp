// Defines checkLoss, which finds losses that train nothing, or something else than was meant.
#pragma once

#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/deeplearning/detail/pass/with_slot.hpp"

namespace tapestry {

/// checkLoss(train(loss)): in the passes that the program opens, `train` fails with std::invalid_argument for
/// a loss that no weight has got a delta from, and for a tensor of several elements, whose sum it
/// would train; no weight has changed. Cost: none that grows with the network.
template <class A>
[[nodiscard]] Do<A> checkLoss(const Do<A>& program) {
  return detail::withSlot<detail::CheckLossSlot>(true, program);
}

void checkLoss(...) = delete;  // expected a Do, such as train(loss)

}  // namespace tapestry
