// Defines train of a DigitModel, which runs while the model answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tapestry/continuation/executor.hpp>
#include <tapestry/raii.hpp>

#include "digit_server/digit_model.hpp"
#include "digit_server/loss_curve.hpp"
#include "support/digits.hpp"

namespace tapestry::examples {

struct TrainingSettings {
  std::size_t epochs = 5;
  std::size_t batch = 64;
  double learningRate = 0.006;  ///< of Adam, in the first epoch; halved in each of the next ten
  std::uint64_t seed = 1;
};

/// Trains with shuffled mini-batches, as gated_digits does. The steps run on the workers, and their results
/// are added to the curve on the executor of the run. The curve is told of the end, also of an error, with
/// which the run then fails. All arguments must outlive the run.
Do<void> trainDigits(const DigitModel& model, const Digits& digits, const TrainingSettings& settings,
                     Executor& workers, LossCurve& curve);

}  // namespace tapestry::examples
