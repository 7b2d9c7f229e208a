// Defines checkLoss, which refuses losses that train nothing and tensors whose sum would be trained.
#pragma once

#include "tapestry/deeplearning/detail/pass/watch.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// checkLoss(train(loss)): in the passes that the program opens, `train` fails with std::invalid_argument for
/// a loss that sent no delta to any weight, and for a tensor of several elements, whose sum it would train;
/// no weight changes. Cost: none that grows with the network.
template <class A>
[[nodiscard]] Do<A> checkLoss(const Do<A>& program) {
  return detail::withSlot<detail::CheckLossSlot>(true, program);
}

void checkLoss(...) = delete;  // expected a Do, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
