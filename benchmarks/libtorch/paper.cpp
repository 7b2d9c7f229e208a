#include "libtorch/sides.hpp"

#include <memory>

#include "libtorch/tensors.hpp"
#include "support/class_images.hpp"

namespace tapestry::benchmarks::libtorch {

namespace {

using namespace ::torch;
using examples::ClassImages;

constexpr std::int64_t width = 64;

struct Batch {
  torch::Tensor images, coarse, fine;
  std::size_t coarseClass;
};

struct Network : nn::Module {
  explicit Network(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      columns->push_back(nn::Sequential(nn::Linear(Cifar::imageSize, width), nn::ReLU(),
                                        nn::Linear(width, width), nn::ReLU()));
    for (std::size_t i = 0; i < ClassImages::coarseClasses; ++i)
      fine->push_back(nn::Sequential(nn::Linear(width, width), nn::ReLU(), nn::Linear(width, width),
                                     nn::ReLU(), nn::Linear(width, ClassImages::fineClasses)));
    register_module("columns", columns);
    register_module("coarse", coarse);
    register_module("fine", fine);
  }

  torch::Tensor loss(const Batch& batch, bool skip) {
    torch::Tensor features;
    for (const auto& column : *columns) {
      const auto y = column->as<nn::Sequential>()->forward(batch.images);
      features = features.defined() ? features + y : y;
    }
    auto loss = nn::functional::cross_entropy(coarse(features), batch.coarse);
    for (std::size_t i = 0; i < fine->size(); ++i)
      if (i == batch.coarseClass || !skip) {
        const auto own =
            nn::functional::cross_entropy(fine[i]->as<nn::Sequential>()->forward(features), batch.fine);
        loss = loss + (skip ? own : own * (i == batch.coarseClass ? 1.0 : 0.0));
      }
    return loss;
  }

  nn::ModuleList columns, fine;
  nn::Linear coarse{width, ClassImages::coarseClasses};
};

std::vector<Batch> batchesOf(const PaperWork& work) {
  std::vector<Batch> batches;
  for (const auto& batch : work.batches) {
    const std::vector<std::uint32_t> coarse(batch.fine.size(), static_cast<std::uint32_t>(batch.coarse));
    batches.push_back({view(batch.images), labelsOf(coarse), labelsOf(batch.fine), batch.coarse});
  }
  return batches;
}

}  // namespace

Side paper(const PaperWork& work, unsigned threads) {
  const auto network = std::make_shared<Network>(work.columns);
  const auto batches = std::make_shared<const std::vector<Batch>>(batchesOf(work));
  return {.reset = [network, &work] { setParameters(*network, work.weights); },
          .run =
              [=, skip = work.skip] {
                const Threads scope(threads);
                optim::SGD optimizer(network->parameters(), optim::SGDOptions(PaperWork::learningRate));
                double last = 0;
                for (const Batch& batch : *batches) {
                  forgetGradients(*network);
                  const auto loss = network->loss(batch, skip);
                  loss.backward();
                  optimizer.step();
                  last = loss.item<double>();
                }
                return last;
              }};
}

}  // namespace tapestry::benchmarks::libtorch
