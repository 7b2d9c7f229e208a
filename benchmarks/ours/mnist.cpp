#include "ours/sides.hpp"

#include <tapestry/deeplearning.hpp>

#include <memory>
#include <vector>

#include "support/workers.hpp"
#include "work/digits.hpp"
#include "work/weights.hpp"

namespace tapestry::benchmarks {

Side oursOnMnist(const MnistWork& work, unsigned threads) {
  const auto dense = [&](std::size_t layer) { return Dense<>(work.weights[2 * layer]); };
  const auto network = sequential(dense(0), operations::relu, dense(1), operations::relu, dense(2));
  const auto workers = std::make_shared<examples::Workers>(threads);
  return {.reset =
              [network, &work] {
                setValues(network.weights(), work.weights);
                network.weights().setOptimizer(adam({.learningRate = MnistWork::learningRate}));
              },
          .run =
              [network, workers, &work] {
                std::vector<double> losses;
                for (std::size_t i = 0; i < work.size(); ++i) {
                  const auto [images, labels] = work.get(i);
                  losses.push_back(workers->run(train(softmaxCrossEntropy(network(images), labels))));
                }
                return resultOf(losses);
              }};
}

}  // namespace tapestry::benchmarks
