// Learns what to recommend from what users have liked so far: matrix factorisation by Bayesian personalised
// ranking, as in the library wyrm.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii/par_traverse.hpp>

#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "support/interactions.hpp"
#include "support/options.hpp"
#include "support/progress.hpp"
#include "support/random.hpp"
#include "support/ranking.hpp"
#include "support/ranking_model.hpp"
#include "support/text.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Settings {
  std::size_t epochs = 24;
  std::size_t batch = 4096;
  double learningRate = 0.1;
  std::string optimizer = "adagrad";
  std::optional<std::filesystem::path> data;

  Optimizer<Table<float>> rule() const {
    if (optimizer == "sgd") return sgd(learningRate);
    return adagrad({.learningRate = learningRate});
  }
};

class Trainer {
 public:
  Trainer(const Settings& settings, const Interactions& training, std::size_t threads, std::uint64_t seed)
      : settings_(settings),
        training_(training),
        threads_(threads),
        workers_(threads > 1 ? std::make_unique<ThreadPool>(static_cast<unsigned>(threads - 1)) : nullptr),
        seeds_(seed),
        model_(training, settings.rule(), Generator(seed)) {}

  /// As many draws as there are interactions, in passes of which each thread runs one at a time.
  void epoch(Progress& progress) {
    progress.startEpoch();
    const std::size_t batches = (training_.all.size() + settings_.batch - 1) / settings_.batch;
    const auto pass = [this](std::uint64_t seed) {
      return Do<double>::suspend([=, this] {
        return train(model_.loss(RankingBatch::draw(training_, settings_.batch, Random(seed))));
      });
    };
    const std::uint64_t first = seeds_;
    const auto passes = parTraverse(std::views::iota(first, seeds_ += batches), threads_, pass);
    const auto losses = workers_ ? passes.blockingAwait(*workers_) : passes.blockingAwait();
    const double loss = std::reduce(losses.begin(), losses.end());
    progress.advance(training_.all.size(), loss / static_cast<double>(batches * settings_.batch));
    progress.finishEpoch();
  }

  Ranking rank(const Interactions& test) const {
    return Ranking::of(predict(model_.scores()).blockingAwait(), training_, test);
  }

 private:
  const Settings settings_;
  const Interactions& training_;
  const std::size_t threads_;
  const std::unique_ptr<ThreadPool> workers_;
  std::uint64_t seeds_;  ///< of the batches that are still to come
  const RankingModel model_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("movielens_bpr", "Learns what to recommend from what users have liked.");
  options.count("--epochs", settings.epochs, "passes over the interactions")
      .count("--batch", settings.batch, "interactions for one step of the optimizer")
      .real("--learning-rate", settings.learningRate, "of the optimizer")
      .choice("--optimizer", settings.optimizer, "the rule", {"adagrad", "sgd"})
      .path("--data", settings.data, "u.data of MovieLens-100K, plain or gzipped");
  return options.run(argc, argv, [&] {
    const auto [training, test] =
        split(settings.data ? readInteractions(*settings.data) : drawInteractions(options.seed()), 0.8,
              options.seed());
    std::cout << (settings.data ? settings.data->string() : "generated") << ": " << training.users
              << " users, " << training.items << " items, " << training.all.size()
              << " interactions for training, " << test.all.size() << " for the test" << std::endl;
    Trainer trainer(settings, training, options.threads(), options.seed());
    Progress progress({settings.epochs, training.all.size(), "interactions"});
    Ranking ranking{};
    for (std::size_t epoch = 0; epoch <= settings.epochs; ++epoch) {
      if (epoch != 0) trainer.epoch(progress);
      ranking = trainer.rank(test);
      std::cout << "epoch " << epoch << ": test AUC " << fixed(ranking.auc, 4) << ", MRR "
                << fixed(ranking.mrr, 4) << std::endl;
    }
    std::cout << "milliseconds per epoch: " << fixed(1000 * progress.secondsPerEpoch(), 1) << '\n'
              << "test AUC: " << fixed(ranking.auc, 4) << std::endl;
  });
}
