#include "ours/sides.hpp"

#include <memory>

#include "support/column_network.hpp"
#include "support/workers.hpp"
#include "work/weights.hpp"

namespace tapestry::benchmarks {

Side oursOnPaper(const PaperWork& work, unsigned threads) {
  const auto network = std::make_shared<examples::ColumnNetwork>(work.columns, 0);
  const auto workers = std::make_shared<examples::Workers>(threads);
  network->weights().setOptimizer(sgd(PaperWork::learningRate));
  return {.reset = [network, &work] { setValues(network->weights(), work.weights); },
          .run =
              [network, workers, &work] {
                double loss = 0;
                for (const auto& batch : work.batches)
                  loss = workers->run(train(network->loss(batch, work.skip)));
                return loss;
              }};
}

}  // namespace tapestry::benchmarks
