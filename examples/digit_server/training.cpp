#include "digit_server/training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/on.hpp>
#include <tuple>
#include <vector>

#include "support/index_of_largest.hpp"
#include "support/random.hpp"

namespace tapestry::examples {
namespace {

struct StepResult {
  double loss = 0;
  double accuracy = 0;
};

/// One optimizer step on the mean loss of a mini-batch, whose images choose their experts in parallel.
Do<StepResult> step(const GatedNetwork& network, const Digits& digits, std::span<const std::size_t> images) {
  return Do<StepResult>::suspend([&network, &digits, images] {
    std::vector<GatedNetwork::Logits> logits;
    std::vector<GatedNetwork::Score> losses;
    for (const std::size_t image : images) {
      logits.push_back(network.logits(digits.tensor(image)));
      losses.push_back(softmaxCrossEntropy(logits.back(), digits.labels[image]));
    }
    return train(mean(losses), logits).map([&digits, images](const auto& pass) {
      const auto& [loss, values] = pass;
      std::size_t right = 0;
      for (std::size_t i = 0; i < images.size(); ++i)
        right += indexOfLargest(values[i]) == digits.labels[images[i]];
      return StepResult{loss, static_cast<double>(right) / static_cast<double>(images.size())};
    });
  });
}

}  // namespace

Do<void> trainDigits(const DigitModel& model, const Digits& digits, const TrainingSettings& settings,
                     Executor& workers, LossCurve& curve) {
  const auto training = direct<Do>([&] {
    Random random(settings.seed);
    std::vector<std::size_t> order(digits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t epoch = 0; epoch < settings.epochs; ++epoch) {
      random.shuffle(std::span(order));
      const double rate = settings.learningRate * std::exp2(-std::min(static_cast<double>(epoch), 10.0));
      model.network().setOptimizers(adam({.learningRate = rate / 20}), adam({.learningRate = rate}));
      for (std::size_t begin = 0; begin < order.size(); begin += settings.batch) {
        const auto count = std::min(settings.batch, order.size() - begin);
        const auto images = std::span<const std::size_t>(order).subspan(begin, count);
        const StepResult result = !on(workers, step(model.network(), digits, images).run());
        const double part = static_cast<double>(begin + count) / static_cast<double>(order.size());
        curve.add(static_cast<double>(epoch) + part, result.loss, result.accuracy);
      }
    }
    curve.finish();
  });
  return training.handleError([&curve](const std::exception_ptr& error) {
    curve.fail();
    return Do<void>::raiseError(error);
  });
}

}  // namespace tapestry::examples
