#include "ours/sides.hpp"

#include <algorithm>
#include <memory>

#include "support/workers.hpp"
#include "work/digits.hpp"

namespace tapestry::benchmarks {

namespace {

using examples::GatedNetwork;

struct Model {
  explicit Model(unsigned threads) : network(0), workers(threads) {}

  double step(const GatedWork& work, std::size_t begin, std::size_t end) const {
    std::vector<DoubleLayer> losses;
    for (std::size_t i = begin; i < end; ++i)
      losses.push_back(softmaxCrossEntropy(network.logits(work.pixels[i]), work.labels[i]));
    return workers.run(train(mean(losses)));
  }

  GatedNetwork network;
  examples::Workers workers;
};

}  // namespace

Side oursOnDigits(const GatedWork& work, unsigned threads) {
  const auto model = std::make_shared<Model>(threads);
  return {
      .reset =
          [model, &work] {
            setValues(model->network.weights(), work.weights);
            model->network.setOptimizers(adam({.learningRate = GatedWork::learningRate / 20}),
                                         adam({.learningRate = GatedWork::learningRate}));
          },
      .run =
          [model, &work] {
            std::vector<double> losses;
            for (std::size_t i = 0; i < GatedWork::images; i += GatedWork::batchSize)
              losses.push_back(model->step(work, i, std::min(i + GatedWork::batchSize, GatedWork::images)));
            return resultOf(losses);
          }};
}

Side oursOnPredictions(const GatedWork& work, unsigned threads) {
  const auto model = std::make_shared<Model>(threads);
  setValues(model->network.weights(), work.weights);
  return {.reset = [] {},
          .run =
              [model, &work] {
                double sum = 0;
                for (std::size_t i = 0; i < GatedWork::predicted; ++i) {
                  const auto logits = model->workers.run(predict(model->network.logits(work.pixels[i])));
                  sum += static_cast<double>(logits.data()[work.labels[i]]);
                }
                return sum;
              }};
}

}  // namespace tapestry::benchmarks
