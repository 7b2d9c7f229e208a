// Defines Exchange, by which a pass combines its gradients with those of passes elsewhere before its step.
#pragma once

#include <exception>
#include <memory>

#include "tapestry/deeplearning/extend/pass_gradients.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace extend {

/// The exchange of one pass of `train`. Passes elsewhere take part in it, and all of them take their steps,
/// or none does.
class Exchange {
 public:
  Exchange() noexcept = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Called during the backward computation when the gradient of a weight has got all its terms. Called on
  /// the threads of the pass, on several at once; must not wait. The gradient may be taken.
  virtual void complete(PassGradients pass, WeightId weight) noexcept = 0;

  /// Called once, after the backward computation; `failure` is its error, Cancelled for a pass that was asked
  /// to stop, or null. Yields a factor for all gradients, or fails if any pass has failed. The steps use the
  /// gradients that the pass has afterwards.
  virtual Do<double> settle(PassGradients pass, std::exception_ptr failure) = 0;

  /// Called once after settle has succeeded, with the error of preparing the steps, or null. Succeeds if all
  /// passes have prepared theirs: then the steps are taken.
  virtual Do<void> agree(std::exception_ptr failure) = 0;
};

}  // namespace extend

/// A way to combine the gradients of passes, for train(loss, reduction).
struct Reduction {
  /// Opens the exchange of a pass, which lasts until the end of the scope. A request to stop may end the
  /// wait for an exchange, and is not seen afterwards. Where it yields null, the pass is alone: it takes its
  /// step as that of train(loss).
  Do<std::shared_ptr<extend::Exchange>> open;
};

}  // namespace tapestry
#pragma GCC visibility pop
