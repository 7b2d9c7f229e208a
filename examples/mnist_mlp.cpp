// Trains Thunder's network on handwritten digits: one run gives the loss, the gradients and the predictions.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/digit_batches.hpp"
#include "support/digits.hpp"
#include "support/options.hpp"
#include "support/place.hpp"
#include "support/progress.hpp"
#include "support/ranks.hpp"
#include "support/tally.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Settings {
  std::size_t epochs = 10;
  std::size_t batch = 64;
  double learningRate = 0.002;
  std::optional<std::filesystem::path> data;
  std::string device = "cpu";
  bool distributed = false;
  std::optional<std::filesystem::path> trace;
};

/// 784-256-100-10, with rectifiers between, of tensors that are at the place.
template <class Place>
class Network {
 public:
  using Values = typename Place::Values;

  Network(const Place& place, std::uint64_t seed) : Network(place, Generator(seed)) {}

  auto operator()(const Values& images) const { return third_(relu(second_(relu(first_(images))))); }

  Weights weights() const { return {{"0", first_}, {"2", second_}, {"4", third_}}; }
  /// The weights with their names and types.
  std::vector<std::pair<std::string, Weight<Values>>> typedWeights() const {
    return {{"0.weight", first_.weight}, {"0.bias", first_.bias},     {"2.weight", second_.weight},
            {"2.bias", second_.bias},    {"4.weight", third_.weight}, {"4.bias", third_.bias}};
  }

 private:
  Network(const Place& place, Generator generator)
      : first_(place(heNormal({Digits::imageSize, 256}, generator))),
        second_(place(heNormal({256, 100}, generator))),
        third_(place(glorotUniform({100, 10}, generator))) {}

  Dense<Values> first_, second_, third_;
};

template <class Place>
class Trainer {
 public:
  Trainer(const Place& place, const Settings& settings, const Digits& digits, std::size_t threads,
          std::uint64_t seed, Share share)
      : place_(place),
        workers_(threads),
        epochs_(settings.epochs),
        batches_(digits, {.size = settings.batch, .seed = seed}, share),
        network_(place, seed) {
    network_.weights().setOptimizer(adam(
        {.learningRate =
             cosineDecay({.initial = settings.learningRate, .steps = settings.epochs * batches_.size()})}));
  }

  /// All epochs, on all processes together.
  void trainEpochs(const Ranks& ranks, Progress& progress) const {
    workers_.run(ranks.traced(ranks.steps(network_.weights()).flatMap([&](const Steps& steps) {
      return epochsFrom(0, steps, progress);
    })));
  }

  /// The loss and the accuracy of the first batch, and the length of its gradient with respect to each
  /// weight.
  std::string firstBatch() const {
    // [gradients]
    const auto batch = batches_.epoch(0).get(0);
    const auto logits = network_(place_(batch.images));
    const auto [derived, predictions] =
        workers_.run(gradients(softmaxCrossEntropy(logits, batch.labels), logits));
    std::string text = "loss " + fixed(workers_.run(Place::fetchNumber(derived.loss)), 4) + ", right " +
                       std::to_string(countRight(workers_.run(Place::fetch(predictions)), batch.labels)) +
                       ", gradients";
    for (const auto& [name, weight] : network_.typedWeights()) {
      const auto gradient = derived.of(weight);
      const double square = workers_.run(Place::fetchNumber(sum(gradient * gradient)));
      text += "  " + name + " " + fixed(std::sqrt(square), 4);
    }
    // [/gradients]
    return text;
  }

  Tally test(const Digits& digits) const {
    Tally tally(10);
    const DigitBatches batches(digits, {.size = 1000, .shuffle = false});
    workers_.run(prefetchTraverse(batches.epoch(0), [&](const DigitBatches::Batch& batch) {
      return predict(network_(place_(batch.images)))
          .flatMap([](const auto& logits) { return Place::fetch(logits); })
          .map([&tally, labels = batch.labels](const Tensor<float>& logits) {
            const Indices predictions = argmax(logits, 1);
            for (std::size_t i = 0; i < labels.size(); ++i)
              tally.add(labels[i], static_cast<std::size_t>(predictions.values()[i]));
          });
    }));
    return tally;
  }

 private:
  Do<void> epochsFrom(std::size_t number, const Steps& steps, Progress& progress) const {
    if (number == epochs_) return Do<void>::now();
    return epoch(number, steps, progress).flatMap([=, this, &progress] {
      return epochsFrom(number + 1, steps, progress);
    });
  }

  Do<void> epoch(std::size_t number, const Steps& steps, Progress& progress) const {
    // [step]
    const auto step = [this, steps, &progress](const DigitBatches::Batch& batch) {
      const std::size_t items = batch.labels.size();
      if (items == 0) return steps.join();
      const auto logits = network_(place_(batch.images));
      const auto loss = softmaxCrossEntropy(logits, batch.labels);
      return steps.train(items, loss, logits).flatMap([&progress, labels = batch.labels](const auto& run) {
        const auto& [value, predictions] = run;
        return tuple2(Place::fetchNumber(value), Place::fetch(predictions))
            .map([&progress, labels](const auto& fetched) {
              progress.advance(labels.size(), get<0>(fetched), countRight(get<1>(fetched), labels));
            });
      });
    };
    return progress.epoch(prefetchTraverse(batches_.epoch(number), step));
    // [/step]
  }

  static std::size_t countRight(const Tensor<float>& logits, const std::vector<std::uint32_t>& labels) {
    const Indices predictions = argmax(logits, 1);
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += predictions.values()[i] == labels[i];
    return right;
  }

  const Place place_;
  const Workers workers_;
  const std::size_t epochs_;
  const DigitBatches batches_;
  const Network<Place> network_;
};

template <class Place>
void run(const Place& place, const Settings& settings, const Options& options) {
  const Ranks ranks(settings.distributed, settings.trace);
  const DigitData data = findDigits(settings.data, options.seed());
  const Trainer<Place> trainer(place, settings, data.training, options.threads(), options.seed(),
                               ranks.share());
  std::cout << data.source << "\nfirst batch, before: " << trainer.firstBatch() << std::endl;
  Progress progress({settings.epochs, data.training.size() / ranks.share().ranks}, ranks.terminal());
  trainer.trainEpochs(ranks, progress);
  ranks.writeTrace();
  std::cout << "first batch, after:  " << trainer.firstBatch() << '\n';
  const Tally tally = trainer.test(data.test);
  std::cout << tally.table("digit") << "seconds per epoch: " << fixed(progress.secondsPerEpoch(), 2) << '\n'
            << "test accuracy: " << percent(tally.accuracy()) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("mnist_mlp", "Trains a network of 784-256-100-10 on handwritten digits.");
  options.count("--epochs", settings.epochs, "passes over the training images")
      .count("--batch", settings.batch, "images for one step of the optimizer")
      .real("--learning-rate", settings.learningRate, "of Adam at first; it falls to 0 along a cosine")
      .path("--data", settings.data, "directory with the four IDX files of MNIST, plain or gzipped")
      .text("--device", settings.device, "cpu, or a device, such as opencl or cuda:0")
      .flag("--distributed", settings.distributed, "train on all processes that mpirun has started")
      .path("--trace", settings.trace, "file that gets the training's passes for Chrome's trace viewer");
  return options.run(argc, argv, [&] {
    withPlace(settings.device, [&](const auto& place) { run(place, settings, options); });
  });
}
