// Trains the network of the paper's evaluation: columns, a coarse classifier, and a fine one for each coarse
// class.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cifar_columns/speed_tables.hpp"
#include "support/class_batches.hpp"
#include "support/class_images.hpp"
#include "support/column_network.hpp"
#include "support/histogram.hpp"
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

constexpr std::size_t batchSize = 16;

struct Settings {
  std::size_t epochs = 10;
  std::string columns = "1";
  bool skip = false;
  bool tables = false;
  double learningRate = 0.01;
  std::optional<std::filesystem::path> data;
  std::string device = "cpu";
  bool distributed = false;
  std::optional<std::filesystem::path> trace;
};

template <class Place>
class Trainer {
 public:
  Trainer(const Place& place, const Settings& settings, std::size_t columns, std::size_t threads,
          std::uint64_t seed)
      : skip_(settings.skip), workers_(threads), network_(columns, seed, place) {
    network_.weights().setOptimizer(sgd(settings.learningRate));
  }

  /// All epochs, on all processes together; batchesOf(epoch) are this process's.
  template <class F>
  void trainEpochs(const Ranks& ranks, std::size_t epochs, const F& batchesOf, Progress& progress) const {
    workers_.run(ranks.traced(ranks.steps(network_.weights()).flatMap([&](const Steps& steps) {
      Do<void> all = Do<void>::now();
      for (std::size_t number = 0; number < epochs; ++number)
        all = all.flatMap([&, this, steps, number] { return epoch(batchesOf(number), steps, progress); });
      return all;
    })));
  }

  /// Mini-batches per second, in the fastest of several rounds.
  double speed(const ClassBatches& batches) const {
    double best = 0;
    for (int round = 0; round < 5; ++round) {
      const double started = secondsNow();
      workers_.run(prefetchTraverse(batches, [&](const ClassBatches::Batch& batch) {
        return train(network_.loss(batch, skip_)).flatMap(Place::fetchNumber);
      }));
      best = std::max(best, static_cast<double>(batches.size()) / (secondsNow() - started));
    }
    return best;
  }

  void test(const ClassImages& images) {
    Tally coarse(ClassImages::coarseClasses);
    std::size_t right = 0;
    Histogram chosen(ClassImages::coarseClasses);
    network_.onChosen = [&](std::size_t fine) { chosen.add(fine); };
    for (std::size_t begin = 0; begin < images.size(); begin += 100) {
      std::vector<Tensor<float>> some;
      for (std::size_t i = begin; i < std::min(begin + 100, images.size()); ++i)
        some.push_back(images.tensor(i));
      for (std::size_t i = begin; const auto& prediction : workers_.run(network_.predictions(some))) {
        coarse.add(images.coarse(i), prediction.coarse);
        right += images.coarse(i) == prediction.coarse && images.fine[i] == prediction.fine;
        ++i;
      }
    }
    network_.onChosen = nullptr;
    std::cout << coarse.table("coarse class") << "fine classifiers run: " << chosen.total() << " of "
              << images.size() * ClassImages::coarseClasses
              << "\ncoarse accuracy: " << percent(coarse.accuracy()) << "\nfine accuracy: "
              << percent(static_cast<double>(right) / static_cast<double>(images.size())) << std::endl;
  }

 private:
  Do<void> epoch(const ClassBatches& batches, const Steps& steps, Progress& progress) const {
    const auto step = [this, steps, &progress](const ClassBatches::Batch& batch) {
      return steps.train(batch.fine.size(), network_.loss(batch, skip_))
          .flatMap(Place::fetchNumber)
          .map([&progress](double loss) { progress.advance(1, loss); });
    };
    return progress.epoch(prefetchTraverse(batches, step));
  }

  bool skip_;
  Workers workers_;
  ColumnNetworkAt<Place> network_;
};

/// Every figure of the paper's tables.
template <class Place>
void measureTables(const Place& place, Settings settings, const ClassBatches& batches, std::uint64_t seed) {
  SpeedTables tables;
  for (const bool skip : {false, true}) {
    settings.skip = skip;
    for (const std::size_t columns : SpeedTables::sizes)
      for (const std::size_t threads : SpeedTables::sizes)
        tables.set(skip, columns, threads, Trainer(place, settings, columns, threads, seed).speed(batches));
    std::cout << tables.table(skip) << std::endl;
  }
}

template <class Place>
void run(const Place& place, const Settings& settings, const Options& options) {
  const Ranks ranks(settings.distributed, settings.trace);
  const ClassImageData data = findClassImages(settings.data, options.seed());
  const auto batches = [&](std::size_t epoch) {
    return ClassBatches(data.training, batchSize, options.seed() + epoch).of(ranks.share());
  };
  std::cout << data.source << std::endl;
  if (settings.tables) return measureTables(place, settings, batches(0).first(100), options.seed());
  const std::size_t columns = std::stoul(settings.columns);
  Trainer trainer(place, settings, columns, options.threads(), options.seed());
  Progress progress({settings.epochs, batches(0).size(), "mini-batches"}, ranks.terminal());
  trainer.trainEpochs(ranks, settings.epochs, batches, progress);
  ranks.writeTrace();
  trainer.test(data.test);
  const double speed = static_cast<double>(batches(0).size()) / progress.secondsPerEpoch();
  SpeedTables tables;
  tables.set(settings.skip, columns, options.threads(), speed);
  std::cout << tables.table(settings.skip) << "mini-batches per second: " << fixed(speed, 1) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("cifar_columns",
                  "Trains expert columns with a coarse classifier and 20 fine ones on images.");
  options.count("--epochs", settings.epochs, "passes over the training images")
      .choice("--columns", settings.columns, "expert columns, which are summed", {"1", "2", "4"})
      .flag("--skip", settings.skip, "train the matching fine classifier alone, without computing the others")
      .flag("--tables", settings.tables, "measure every figure of the paper's two tables, and nothing else")
      .real("--learning-rate", settings.learningRate, "of gradient descent")
      .path("--data", settings.data, "directory with train.bin and test.bin of CIFAR-100, plain or gzipped")
      .text("--device", settings.device, "cpu, or a device, such as opencl or cuda:0")
      .flag("--distributed", settings.distributed, "train on all processes that mpirun has started")
      .path("--trace", settings.trace, "file that gets the training's passes for Chrome's trace viewer");
  CLI::Option* const allFigures = options.app().get_option("--tables");
  for (const char* given : {"--epochs", "--columns", "--skip", "--threads"})
    allFigures->excludes(options.app().get_option(given));
  return options.run(argc, argv, [&] {
    withPlace(settings.device, [&](const auto& place) { run(place, settings, options); });
  });
}
