#include "hand/paper.hpp"

#include <memory>

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
  explicit Column(Library library)
      : first({rows, Cifar::imageSize, width}, Activation::relu, Below::none, rate, library),
        second({rows, width, width}, Activation::relu, Below::write, rate, library) {}

  Dense first, second;
};

struct FineClassifier {
  explicit FineClassifier(Library library)
      : first({rows, width, width}, Activation::relu, Below::add, rate, library),
        second({rows, width, width}, Activation::relu, Below::write, rate, library),
        third({rows, width, ClassImages::fineClasses}, Activation::none, Below::write, rate, library) {}

  Dense first, second, third;
};

class Network {
 public:
  Network(const PaperWork& work, Library library, const Threads& = Threads(1))
      : work_(work),
        columns_(work.columns, Column(library)),
        coarse_({rows, width, ClassImages::coarseClasses}, Activation::none, Below::write, rate, library),
        fine_(ClassImages::coarseClasses, FineClassifier(library)) {}

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
    for (Column& column : columns_) {
      deltaOfColumn_ = deltaOfFeatures_;
      column.second.backward(column.first.output(), deltaOfColumn_.data(), hidden_.data());
      column.first.backward(images, hidden_.data(), nullptr);
    }
    return loss;
  }

 private:
  void forward(const float* images) {
    features_.assign(rows * width, 0);
    for (Column& column : columns_) {
      const float* const y = column.second.forward(column.first.forward(images));
      for (std::size_t i = 0; i < features_.size(); ++i) features_[i] += y[i];
    }
  }

  /// Takes all classifiers' steps; their derivatives add up in deltaOfFeatures_.
  double classify(const Batch& batch) {
    const float* const logits = coarse_.forward(features_.data());
    const auto coarse = [&](std::size_t) { return batch.coarse; };
    double loss =
        softmaxCrossEntropy(logits, rows, ClassImages::coarseClasses, coarse, 1, deltaOfLogits_.data());
    coarse_.backward(features_.data(), deltaOfLogits_.data(), deltaOfFeatures_.data());
    for (std::size_t i = 0; i < fine_.size(); ++i)
      if (i == batch.coarse)
        loss += classify(fine_[i], batch, 1);
      else if (!work_.skip)
        classify(fine_[i], batch, 0);
    return loss;
  }

  double classify(FineClassifier& fine, const Batch& batch, float factor) {
    const float* const first = fine.first.forward(features_.data());
    const float* const second = fine.second.forward(first);
    const float* const logits = fine.third.forward(second);
    const auto label = [&](std::size_t row) { return batch.fine[row]; };
    const double loss =
        softmaxCrossEntropy(logits, rows, ClassImages::fineClasses, label, factor, deltaOfLogits_.data());
    fine.third.backward(second, deltaOfLogits_.data(), hidden_.data());
    fine.second.backward(first, hidden_.data(), deltaOfColumn_.data());
    fine.first.backward(features_.data(), deltaOfColumn_.data(), deltaOfFeatures_.data());
    return loss;
  }

  const PaperWork& work_;
  std::vector<Column> columns_;
  Dense coarse_;
  std::vector<FineClassifier> fine_;
  std::vector<float> features_;
  std::vector<float> deltaOfFeatures_ = std::vector<float>(rows * width);
  std::vector<float> deltaOfColumn_ = std::vector<float>(rows * width);
  std::vector<float> hidden_ = std::vector<float>(rows * width);
  std::vector<float> deltaOfLogits_ = std::vector<float>(rows * ClassImages::coarseClasses);
};

}  // namespace

Side paperByHand(const PaperWork& work, Library library) {
  const auto network = std::make_shared<Network>(work, library);
  return {.reset = [network] { network->reset(); },
          .run =
              [network, &work] {
                const Threads one(1);
                double loss = 0;
                for (const Batch& batch : work.batches) loss = network->step(batch);
                return loss;
              }};
}

}  // namespace tapestry::benchmarks::hand
