// Trains the paper's gated network on handwritten digits: every image chooses its own expert.
#include <tapestry/deeplearning.hpp>
#include <tapestry/deeplearning/pictures/summary.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gated_digits/digit_report.hpp"
#include "gated_digits/terminal_image.hpp"
#include "support/digits.hpp"
#include "support/gated_network.hpp"
#include "support/histogram.hpp"
#include "support/index_of_largest.hpp"
#include "support/options.hpp"
#include "support/place.hpp"
#include "support/progress.hpp"
#include "support/random.hpp"
#include "support/tally.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Settings {
  std::size_t epochs = 5;
  std::size_t batch = 64;
  double learningRate = 0.006;
  std::optional<std::filesystem::path> data;
  std::string device = "cpu";
  std::optional<std::filesystem::path> report;
};

template <class Place>
class Trainer {
 public:
  Trainer(const Place& place, const Settings& settings, std::size_t threads, std::uint64_t seed)
      : place_(place), settings_(settings), workers_(threads), random_(seed), network_(seed, place) {
    if (settings.report) log_.emplace(TrainingLog::Options{.title = "gated_digits", .items = "images"});
  }

  void epoch(const Digits& digits, Progress& progress) {
    std::vector<std::size_t> order(digits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random_.shuffle(std::span(order));
    rate_ = settings_.learningRate * std::exp2(-static_cast<double>(epochs_++));
    network_.setOptimizers(adam({.learningRate = rate_ / 20}), adam({.learningRate = rate_}));
    progress.startEpoch();
    if (log_) log_->startEpoch();
    for (std::size_t begin = 0; begin < order.size(); begin += settings_.batch)
      step(digits, std::span(order).subspan(begin, std::min(settings_.batch, order.size() - begin)),
           progress);
    progress.finishEpoch();
  }

  /// The predictions for all digits, with a count of how often each expert was chosen.
  std::vector<std::size_t> predictAll(const Digits& digits, Histogram& chosen) {
    network_.onChosen = [&chosen](std::size_t expert) { chosen.add(expert); };
    std::vector<std::size_t> predictions;
    for (std::size_t begin = 0; begin < digits.size(); begin += settings_.batch) {
      std::vector<typename Network::Logits> logits;
      for (std::size_t i = begin; i < std::min(begin + settings_.batch, digits.size()); ++i)
        logits.push_back(network_.logits(place_(digits.tensor(i))));
      const auto fetched = workers_.run(predict(logits).flatMap(fetchAll));
      std::ranges::transform(fetched, std::back_inserter(predictions), indexOfLargest);
    }
    network_.onChosen = [](std::size_t) {};
    return predictions;
  }

  /// Writes the page of --report, if it was asked for.
  void report(const Digits& digits, const std::vector<std::size_t>& predictions) {
    if (!log_) return;
    std::vector<DigitAnswer> answers;
    for (std::size_t i = 0; i < digits.size(); ++i)
      answers.push_back({predictions[i], expertOf(place_(digits.tensor(i)))});
    writeReport(*settings_.report, *log_, digits, answers, summaryFor(place_(digits.tensor(0))));
  }

 private:
  using Network = GatedNetworkAt<Place>;

  /// The expert that the network chooses for the image.
  std::size_t expertOf(const typename Place::Values& image) {
    const auto [left, right] = network_.gate(image);
    const auto scores = predict(std::pair(left, right)).flatMap([](const auto& both) {
      return tuple2(Place::fetchNumber(both.first), Place::fetchNumber(both.second));
    });
    const auto [first, second] = workers_.run(scores);
    return first > second ? 0 : 1;
  }

  std::string summaryFor(const typename Place::Values& image) {
    const auto record = std::make_shared<PassRecord>();
    const auto logits = network_.logits(image);
    static_cast<void>(workers_.run(observed(predict(logits), record)));
    return summary(logits, {.weights = network_.weights(), .pass = record}).table();
  }

  static Do<std::vector<Tensor<float>>> fetchAll(const std::vector<typename Place::Values>& values) {
    std::vector<Do<Tensor<float>>> all;
    for (const auto& value : values) all.push_back(Place::fetch(value));
    return parSequence(all);
  }

  /// One optimizer step on the mean loss of a mini-batch, whose images are evaluated in parallel.
  void step(const Digits& digits, std::span<const std::size_t> images, Progress& progress) {
    std::vector<typename Network::Logits> logits;
    std::vector<typename Network::Score> losses;
    for (const std::size_t image : images) {
      logits.push_back(network_.logits(place_(digits.tensor(image))));
      losses.push_back(softmaxCrossEntropy(logits.back(), digits.labels[image]));
    }
    const auto step = trained(mean(losses), logits).flatMap([](const auto& run) {
      return tuple2(Place::fetchNumber(get<0>(run)), fetchAll(get<1>(run)));
    });
    const auto [loss, values] = workers_.run(step);
    std::size_t right = 0;
    for (std::size_t i = 0; i < images.size(); ++i)
      right += indexOfLargest(values[i]) == digits.labels[images[i]];
    progress.advance(images.size(), loss, right);
    if (!log_) return;
    const double accuracy = static_cast<double>(right) / static_cast<double>(images.size());
    log_->add({.loss = loss, .accuracy = accuracy, .learningRate = rate_, .items = images.size()});
  }

  /// A step; for a report, the norm of its gradients is measured.
  template <class Loss, class Logits>
  auto trained(const Loss& loss, const Logits& logits) {
    if (!log_) return train(loss, logits);
    constexpr double unlimited = std::numeric_limits<double>::max();
    return observed(train(loss, clipByGlobalNorm(unlimited), logits), log_->norms());
  }

  const Place place_;
  const Settings settings_;
  const Workers workers_;
  Random random_;
  Network network_;
  std::size_t epochs_ = 0;
  double rate_ = 0;
  std::optional<TrainingLog> log_;
};

void report(const Digits& digits, const std::vector<std::size_t>& predictions, const Histogram& chosen,
            double seconds) {
  Tally tally(10);
  for (std::size_t i = 0; i < digits.size(); ++i) tally.add(digits.labels[i], predictions[i]);
  std::vector<CaptionedImage> shown;
  for (std::size_t i = 0; i < std::min<std::size_t>(6, digits.size()); ++i)
    shown.push_back({digits.image(i), "is " + std::to_string(digits.labels[i]) + ", read as " +
                                          std::to_string(predictions[i])});
  std::cout << tally.table("digit") << '\n'
            << chosen.chart("expert") << '\n'
            << drawImages(shown) << '\n'
            << "seconds per epoch: " << fixed(seconds, 2) << '\n'
            << "test accuracy: " << percent(tally.accuracy()) << std::endl;
}

template <class Place>
void run(const Place& place, const Settings& settings, const Options& options) {
  if (settings.report) requireWritable(*settings.report);
  const DigitData data = findDigits(settings.data, options.seed());
  std::cout << data.source << std::endl;
  Trainer<Place> trainer(place, settings, options.threads(), options.seed());
  Progress progress({settings.epochs, data.training.size()});
  for (std::size_t epoch = 0; epoch < settings.epochs; ++epoch) trainer.epoch(data.training, progress);
  Histogram chosen(2);
  const auto predictions = trainer.predictAll(data.test, chosen);
  report(data.test, predictions, chosen, progress.secondsPerEpoch());
  trainer.report(data.test, predictions);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("gated_digits", "Trains a network of two gated experts on handwritten digits.");
  options.count("--epochs", settings.epochs, "passes over the training images")
      .count("--batch", settings.batch, "images for one step of the optimizer")
      .real("--learning-rate", settings.learningRate, "of Adam, in the first epoch; halved in each later one")
      .path("--data", settings.data, "directory with the four IDX files of MNIST, plain or gzipped")
      .path("--report", settings.report,
            "file for a page with curves, mistakes and the choices of the experts")
      .text("--device", settings.device, "cpu, or a device, such as opencl or cuda:0");
  options.traced(tracePasses);
  return options.run(argc, argv, [&] {
    withPlace(settings.device, [&](const auto& place) { run(place, settings, options); });
  });
}
