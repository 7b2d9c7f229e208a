// Defines EarlyStopping, which ends training when a loss has not improved for some epochs, and keeps the best
// weights.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct NamedArrays;

struct EarlyStoppingOptions {
  std::size_t patience = 5;  ///< epochs in a row without improvement, after which training ends
  double least = 0;          ///< a loss improves if it is lower than the best by more than this
};

/// Prechelt, "Early Stopping - But When?" (1998). The loss should be of examples that training does not see.
/// One thread at a time; it must outlive its programs.
///
///   EarlyStopping stopping(model.weights(), {.patience = 10});
///   do { ... } while (stopping.goesOn(predict(loss).blockingAwait()).blockingAwait());
///   stopping.restore().blockingAwait();
class EarlyStopping {
 public:
  /// Throws std::invalid_argument for a patience of 0.
  explicit EarlyStopping(Weights weights, EarlyStoppingOptions options = {});

  /// Counts an epoch, and yields whether training should continue. If the loss has improved, keeps the
  /// weights as they are now: O(weights), and for a weight of a device one copy to the host. NaN is no
  /// improvement. Fails as modelArrays does.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> goesOn(double loss);

  /// Sets the weights to those of the last epoch that improved, all or none, also weights that are not
  /// finite; the optimizers keep their state. Does nothing if no loss was less than infinity.
  [[nodiscard("a program does nothing until it is run")]] Do<void> restore() const;

  /// The loss of the last epoch that improved; infinity if none did.
  double lowest() const noexcept { return lowest_; }
  /// The number of epochs before the last that improved.
  std::size_t best() const noexcept { return best_; }
  /// The number of epochs that were counted.
  std::size_t epochs() const noexcept { return epochs_; }

 private:
  Weights weights_;
  EarlyStoppingOptions options_;
  std::shared_ptr<const NamedArrays> arrays_;  ///< of the best epoch
  double lowest_ = std::numeric_limits<double>::infinity();
  std::size_t best_ = 0, epochs_ = 0;
  std::size_t waited_ = 0;  ///< epochs since the best
};

}  // namespace tapestry
#pragma GCC visibility pop
