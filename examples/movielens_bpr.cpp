// Learns what to recommend from what users have liked so far: matrix factorisation by Bayesian personalised
// ranking, as in the library wyrm.
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii/par_traverse.hpp>

#include <iostream>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "movielens_bpr/interactions.hpp"
#include "movielens_bpr/ranking.hpp"
#include "movielens_bpr/ranking_model.hpp"
#include "support/options.hpp"
#include "support/progress.hpp"
#include "support/random.hpp"
#include "support/ranks.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Settings {
  std::size_t epochs = 24;
  std::size_t batch = 4096;
  double learningRate = 0.1;
  std::string optimizer = "adagrad";
  std::optional<std::filesystem::path> data;
  bool distributed = false;
  std::optional<std::filesystem::path> trace;

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
        workers_(threads),
        seed_(seed),
        model_(training, settings.rule(), Generator(seed)) {}

  /// Trains all epochs on all processes together; the Do after(epoch) runs before the first and after each.
  template <class F>
  void trainEpochs(const Ranks& ranks, Progress& progress, const F& after) const {
    const auto epochs = [&](const Steps& steps) {
      Do<void> all = after(0);
      for (std::size_t number = 0; number < settings_.epochs; ++number)
        all = all.flatMap([&, this, steps, number] { return epoch(number, steps, ranks.share(), progress); })
                  .flatMap([&, number] { return after(number + 1); });
      return all;
    };
    workers_.run(ranks.traced(
        ranks.steps({{"users", model_.users}, {"items", model_.items}}, threads_).flatMap(epochs)));
  }

  Do<Ranking> rank(const Interactions& test) const {
    return Do<Tensor<float>>::suspend([this] { return predict(model_.scores()); })
        .map([this, &test](const Tensor<float>& scores) { return Ranking::of(scores, training_, test); });
  }

 private:
  /// As many draws as there are interactions, by all processes, in passes of which each thread runs one at a
  /// time.
  Do<void> epoch(std::size_t number, const Steps& steps, Share share, Progress& progress) const {
    const std::size_t drawn = settings_.batch * share.ranks;
    const std::size_t batches = (training_.all.size() + drawn - 1) / drawn;
    const std::uint64_t first = seed_ + (number * share.ranks + share.rank) * batches;
    const auto pass = [this, steps](std::uint64_t seed) {
      return Do<double>::suspend([=, this] {
        return steps.train(settings_.batch,
                           model_.loss(RankingBatch::draw(training_, settings_.batch, Random(seed))));
      });
    };
    return progress.epoch(parTraverse(std::views::iota(first, first + batches), threads_, pass)
                              .map([=, this, &progress](const std::vector<double>& losses) {
                                const double loss = std::reduce(losses.begin(), losses.end());
                                progress.advance(training_.all.size() / share.ranks,
                                                 loss / static_cast<double>(batches * settings_.batch));
                              }));
  }

  const Settings settings_;
  const Interactions& training_;
  const std::size_t threads_;
  const Workers workers_;
  const std::uint64_t seed_;  ///< of the first batch
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
      .path("--data", settings.data, "u.data of MovieLens-100K, plain or gzipped")
      .flag("--distributed", settings.distributed, "train on all processes that mpirun has started")
      .path("--trace", settings.trace, "file that gets the training's passes for Chrome's trace viewer");
  return options.run(argc, argv, [&] {
    const Ranks ranks(settings.distributed, settings.trace);
    const auto [training, test] =
        split(settings.data ? readInteractions(*settings.data) : drawInteractions(options.seed()), 0.8,
              options.seed());
    std::cout << (settings.data ? settings.data->string() : "generated") << ": " << training.users
              << " users, " << training.items << " items, " << training.all.size()
              << " interactions for training, " << test.all.size() << " for the test" << std::endl;
    const Trainer trainer(settings, training, options.threads(), options.seed());
    Progress progress({settings.epochs, training.all.size() / ranks.share().ranks, "interactions"},
                      ranks.terminal());
    Ranking ranking{};
    trainer.trainEpochs(ranks, progress, [&](std::size_t epoch) {
      return trainer.rank(test).map([&ranking, epoch](const Ranking& now) {
        ranking = now;
        std::cout << "epoch " << epoch << ": test AUC " << fixed(ranking.auc, 4) << ", MRR "
                  << fixed(ranking.mrr, 4) << std::endl;
      });
    });
    ranks.writeTrace();
    std::cout << "milliseconds per epoch: " << fixed(1000 * progress.secondsPerEpoch(), 1) << '\n'
              << "test AUC: " << fixed(ranking.auc, 4) << std::endl;
  });
}
