#include "work/mnist.hpp"

#include <tapestry/deeplearning/initializers.hpp>

#include "work/digits.hpp"

namespace tapestry::benchmarks {

MnistWork::MnistWork(std::size_t batchSize, Batches batches)
    : digits_(std::make_shared<const examples::Digits>(trainingDigits())),
      epoch_(examples::DigitBatches(*digits_, {.size = batchSize, .seed = 1}).epoch(0)) {
  Generator generator(1);
  for (const Shape& shape : {Shape{examples::Digits::imageSize, 256}, Shape{256, 100}, Shape{100, 10}}) {
    weights.push_back(heNormal(shape, generator));
    weights.push_back(Tensor<float>::zeros({shape[1]}));
  }
  if (batches == Batches::kept)
    for (std::size_t i = 0; i < size(); ++i) kept_.push_back(epoch_.get(i));
}

}  // namespace tapestry::benchmarks
