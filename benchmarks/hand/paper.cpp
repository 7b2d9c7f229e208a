#include "hand/sides.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "hand/dense.hpp"
#include "hand/softmax_cross_entropy.hpp"
#include "support/class_images.hpp"

namespace tapestry::benchmarks::hand {

namespace {

using examples::ClassImages;
using Batch = examples::ClassBatches::Batch;
using Activation = Dense::Activation;
using Below = Dense::Below;

constexpr std::size_t rows = PaperWork::batchSize;
constexpr std::size_t width = 64;
constexpr double rate = PaperWork::learningRate;

struct Column {
  Column(Library library, Division division)
      : first({rows, Cifar::imageSize, width}, Activation::relu, Below::none, rate, library, division),
        second({rows, width, width}, Activation::relu, Below::write, rate, library, division) {}

  Dense first, second;
};

/// Branches write their derivatives with respect to the features, to be added up; else each adds its own.
struct FineClassifier {
  FineClassifier(Library library, Division division)
      : first({rows, width, width}, Activation::relu, dividesBranches(division) ? Below::write : Below::add,
              rate, library, division),
        second({rows, width, width}, Activation::relu, Below::write, rate, library, division),
        third({rows, width, ClassImages::fineClasses}, Activation::none, Below::write, rate, library,
              division) {}

  Dense first, second, third;
};

/// The memory of a branch.
struct Buffers {
  std::vector<float> delta = std::vector<float>(rows * width);
  std::vector<float> hidden = std::vector<float>(rows * width);
  std::vector<float> deltaOfLogits = std::vector<float>(rows * ClassImages::coarseClasses);
  std::vector<float> deltaOfFeatures = std::vector<float>(rows * width);
};

void addTo(std::vector<float>& sum, const float* values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

class Network {
 public:
  Network(const PaperWork& work, Library library, Division division)
      : work_(work),
        inBranches_(dividesBranches(division)),
        columns_(work.columns, Column(library, division)),
        coarse_({rows, width, ClassImages::coarseClasses}, Activation::none, Below::write, rate, library,
                division),
        fine_(ClassImages::coarseClasses, FineClassifier(library, division)),
        buffers_(inBranches_ ? 1 + std::max(columns_.size(), fine_.size()) : 1) {}

  void reset() {
    std::size_t next = 0;
    const auto take = [&](Dense& dense) {
      dense.setWeights(work_.weights[next].data(), work_.weights[next + 1].data());
      next += 2;
    };
    for (Column& column : columns_) take(column.first), take(column.second);
    take(coarse_);
    for (FineClassifier& fine : fine_) take(fine.first), take(fine.second), take(fine.third);
  }

  double step(const Batch& batch) {
    const float* const images = batch.images.data();
    forward(images);
    const double loss = classify(batch);
    forEach(inBranches_, columns_.size(), [&](std::size_t i) {
      Column& column = columns_[i];
      Buffers& own = buffers(i);
      own.delta = deltaOfFeatures();
      column.second.backward(column.first.output(), own.delta.data(), own.hidden.data());
      column.first.backward(images, own.hidden.data(), nullptr);
    });
    return loss;
  }

 private:
  Buffers& buffers(std::size_t branch) { return buffers_[inBranches_ ? 1 + branch : 0]; }
  std::vector<float>& deltaOfFeatures() { return buffers_.front().deltaOfFeatures; }

  void forward(const float* images) {
    forEach(inBranches_, columns_.size(),
            [&](std::size_t i) { columns_[i].second.forward(columns_[i].first.forward(images)); });
    features_.assign(rows * width, 0);
    for (const Column& column : columns_) addTo(features_, column.second.output());
  }

  /// Takes the steps of the coarse classifier and of the fine ones that are trained; their derivatives add up
  /// in deltaOfFeatures.
  double classify(const Batch& batch) {
    const std::size_t first = work_.skip ? batch.coarse : 0;
    const std::size_t count = work_.skip ? 1 : fine_.size();
    forEach(inBranches_, 1 + count, [&](std::size_t branch) {
      if (branch == 0)
        classifyCoarse(batch);
      else
        classifyFine(first + branch - 1, batch);
    });
    if (inBranches_)
      for (std::size_t i = 0; i < count; ++i)
        addTo(deltaOfFeatures(), buffers(first + i).deltaOfFeatures.data());
    return coarseLoss_ + fineLoss_;
  }

  void classifyCoarse(const Batch& batch) {
    Buffers& own = buffers_.front();
    const float* const logits = coarse_.forward(features_.data());
    const auto coarse = [&](std::size_t) { return batch.coarse; };
    coarseLoss_ =
        softmaxCrossEntropy(logits, rows, ClassImages::coarseClasses, coarse, 1, own.deltaOfLogits.data());
    coarse_.backward(features_.data(), own.deltaOfLogits.data(), own.deltaOfFeatures.data());
  }

  void classifyFine(std::size_t index, const Batch& batch) {
    FineClassifier& fine = fine_[index];
    Buffers& own = buffers(index);
    const float* const first = fine.first.forward(features_.data());
    const float* const second = fine.second.forward(first);
    const float* const logits = fine.third.forward(second);
    const auto label = [&](std::size_t row) { return batch.fine[row]; };
    const bool trained = index == batch.coarse;
    const double loss = softmaxCrossEntropy(logits, rows, ClassImages::fineClasses, label, trained ? 1 : 0,
                                            own.deltaOfLogits.data());
    if (trained) fineLoss_ = loss;
    fine.third.backward(second, own.deltaOfLogits.data(), own.hidden.data());
    fine.second.backward(first, own.hidden.data(), own.delta.data());
    fine.first.backward(features_.data(), own.delta.data(), own.deltaOfFeatures.data());
  }

  const PaperWork& work_;
  const bool inBranches_;
  std::vector<Column> columns_;
  Dense coarse_;
  std::vector<FineClassifier> fine_;
  std::vector<Buffers> buffers_;  ///< the first is the coarse classifier's or, without branches, everyone's
  std::vector<float> features_;
  double coarseLoss_ = 0;
  double fineLoss_ = 0;
};

}  // namespace

Side paperByHand(const PaperWork& work, Library library, Division division) {
  const auto network = std::make_shared<Network>(work, library, division);
  return {.reset = [network] { network->reset(); },
          .run =
              [network, &work, division] {
                const Threads one(1);
                double loss = 0;
                runDivided(division, [&] {
                  for (const Batch& batch : work.batches) loss = network->step(batch);
                });
                return loss;
              }};
}

std::vector<MakeSide> paperByHandDivided(std::function<const PaperWork&()> work) {
  std::vector<MakeSide> sides;
  if (!hasDivisions()) return sides;
  for (const Division division : {Division::none, Division::branches, Division::products, Division::both})
    sides.push_back([=] { return paperByHand(work(), Library::openBlas, division); });
  return sides;
}

}  // namespace tapestry::benchmarks::hand
