// Defines train, which evaluates a loss, and takes one step of each weight that it depends on.
#pragma once

#include <optional>

#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/pass/run_reduced.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class L, class... Observed>
auto trainIn(std::optional<ClipByGlobalNorm> clip, const L& loss, const Observed&... observed) {
  return runPass({}, observing(backpropagate("train", loss), observed...),
                 [clip](Pass& pass, const auto& value) {
                   checkLossOf<sizeof...(Observed) != 0>(pass, value);
                   requireTrained(pass);
                   return commitPass(pass, clip).map([value = value] { return value; });
                 });
}

template <class L, class... Observed>
auto trainWith(const Reduction& reduction, std::optional<ClipByGlobalNorm> clip, const L& loss,
               const Observed&... observed) {
  return runReduced(reduction, observing(backpropagate("train", loss), observed...), clip,
                    [](Pass& pass, const auto& value) {
                      checkLossOf<sizeof...(Observed) != 0>(pass, value);
                      return 1.0;
                    });
}

}  // namespace detail

/// Yields the loss from before the step or, with layers or ranges of layers to observe, a tuple of the loss
/// and their data from the same pass. The loss is a scalar, or the sum of a tensor, tuple or range; a loss
/// that depends on no weight trains nothing: checkLoss(train(loss)) refuses such a loss, and a tensor of
/// several elements. If forward, backward or an optimizer fails, or the loss, the gradient of a weight or the
/// sum of what a running average has observed is not finite (std::range_error; of a device, only checkFinite
/// finds out, for the loss and gradients), train fails, and no weight, running average or optimizer changes.
/// All tapes have been released when it completes. A pass is masked: a request to stop takes effect before
/// the pass begins and before its step; a waiting layer is not interrupted.
///
/// The loss of a device is computed when its value is requested. A loss that is kept without such a request,
/// such as for an average over steps, keeps all data that it is computed from, including activations: call
/// its `compute()`.
template <detail::Loss L, Differentiable... Observed>
[[nodiscard]] auto train(const L& loss, const Observed&... observed) {
  return detail::trainIn(std::nullopt, loss, observed...);
}

/// Clips the gradients of all weights together before the step: train(loss, clipByGlobalNorm(1)). A weight's
/// own chain is applied after that. A norm that is NaN or too large for double fails train with
/// std::range_error. Of the weights of a device, the program waits for the norms, and fetches one number for
/// each; their squares are added up in the elements' type.
template <detail::Loss L, Differentiable... Observed>
[[nodiscard]] auto train(const L& loss, ClipByGlobalNorm clip, const Observed&... observed) {
  return detail::trainIn(clip, loss, observed...);
}

/// Combines the gradients with those of passes elsewhere, such as on other machines, before clipping and the
/// weights' own chains: train(loss, allReduce(replicas)). All passes take their steps, or none does; an error
/// or a request to stop anywhere fails all of them. The whole pass is masked; a request to stop is seen
/// before it begins, and before its step.
template <detail::Loss L, Differentiable... Observed>
[[nodiscard]] auto train(const L& loss, const Reduction& reduction, const Observed&... observed) {
  return detail::trainWith(reduction, std::nullopt, loss, observed...);
}
template <detail::Loss L, Differentiable... Observed>
[[nodiscard]] auto train(const L& loss, const Reduction& reduction, ClipByGlobalNorm clip,
                         const Observed&... observed) {
  return detail::trainWith(reduction, clip, loss, observed...);
}

void train(  // expected a loss that is Differentiable, of scalars or tensors, and layers to observe
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
