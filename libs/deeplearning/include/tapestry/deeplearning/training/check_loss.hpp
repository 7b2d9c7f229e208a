// Defines checkLoss, which refuses losses that train nothing and tensors whose sum would be trained.
#pragma once

#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/raii/local.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// checkLoss(train(loss)): in the passes that the program opens, `train` and `trainMicroBatches` fail with
/// std::invalid_argument for a loss that sent no delta to any weight, and for a tensor of several elements,
/// also in a tuple or a range, whose sum they would train; no weight changes. With a reduction, on any number
/// of ranks, a loss that sends no delta is accepted, since other ranks may train the weights. A pass of
/// `withPass` has no loss, and is not checked. Cost: none that grows with the network.
template <class A>
[[nodiscard]] Do<A> checkLoss(const Do<A>& program) {
  return local<detail::CheckLossSlot>(true, program);
}

void checkLoss(...) = delete;  // expected a Do, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
