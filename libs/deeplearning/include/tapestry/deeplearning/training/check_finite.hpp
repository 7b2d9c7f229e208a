// Defines checkFinite, which finds the operation that makes a NaN or an infinity.
#pragma once

#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/raii/local.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// checkFinite(train(loss)): in the passes that the program opens, each operation checks its result and, in
/// the backward computation, each delta that it makes. A value that is not finite fails the pass with
/// std::range_error, which names the first operation that computed it from finite operands, or the weight or
/// literal that it came from; observed and predicted values are checked likewise. Data and deltas of
/// user-defined types are not checked. Cost: each tensor is read once more, and deltas that are products are
/// computed.
///
/// For networks on a device, train checks the loss and the gradient of each weight only under checkFinite:
/// then the program waits until the device has computed them, and fetches one number for each.
template <class A>
[[nodiscard]] Do<A> checkFinite(const Do<A>& program) {
  return local<detail::CheckFiniteSlot>(true, program);
}

void checkFinite(...) = delete;  // expected a Do, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
