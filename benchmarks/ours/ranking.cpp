#include "ours/sides.hpp"

#include <tapestry/raii/par_traverse.hpp>

#include <memory>
#include <numeric>

#include "support/workers.hpp"

namespace tapestry::benchmarks {

Side oursOnRanking(const RankingWork& work, unsigned threads) {
  using examples::RankingBatch;
  using examples::RankingModel;
  const auto model =
      std::make_shared<RankingModel>(work.interactions, sgd(RankingWork::learningRate), Generator(0));
  const auto workers = std::make_shared<examples::Workers>(threads);
  return {.reset =
              [model, &work] {
                model->users.setData(work.users.separate());
                model->items.setData(work.items.separate());
              },
          .run =
              [=, &work] {
                const auto losses =
                    workers->run(parTraverse(work.batches, threads, [model](const RankingBatch& batch) {
                      return train(model->loss(batch));
                    }));
                const double samples = static_cast<double>(work.batches.size() * RankingWork::batchSize);
                return std::reduce(losses.begin(), losses.end()) / samples;
              }};
}

}  // namespace tapestry::benchmarks
