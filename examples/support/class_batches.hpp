// Defines ClassBatches, mini-batches each of whose images are of one coarse class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tapestry/tensor/tensor.hpp>
#include <utility>
#include <vector>

#include "support/class_images.hpp"
#include "support/random.hpp"
#include "support/share.hpp"

namespace tapestry::examples {

/// The mini-batches of one epoch, a Dataset that makes each as a tensor when it is asked for. Which images
/// come together, and in which order, follows from the seed. What a class has beyond whole batches is left
/// out. The images must outlive it.
class ClassBatches {
 public:
  struct Batch {
    Tensor<float> images;             ///< [size, 3072]
    std::size_t coarse;               ///< the class of all of them
    std::vector<std::uint32_t> fine;  ///< of each, the fine class's number in the coarse one
  };

  ClassBatches(const ClassImages& images, std::size_t batchSize, std::uint64_t seed) : images_(&images) {
    Random random(seed);
    std::vector<std::vector<std::size_t>> classes(ClassImages::coarseClasses);
    for (std::size_t i = 0; i < images.size(); ++i) classes[images.coarse(i)].push_back(i);
    std::vector<std::vector<std::size_t>> batches;
    for (auto& indices : classes) {
      random.shuffle(std::span(indices));
      for (std::size_t begin = 0; begin + batchSize <= indices.size(); begin += batchSize) {
        const auto batch = std::span(indices).subspan(begin, batchSize);
        batches.emplace_back(batch.begin(), batch.end());
      }
    }
    random.shuffle(std::span(batches));
    size_ = batches.size();
    batches_ = std::make_shared<const std::vector<std::vector<std::size_t>>>(std::move(batches));
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// The first `count` batches, or all if there are fewer.
  [[nodiscard]] ClassBatches first(std::size_t count) const {
    ClassBatches some(*this);
    some.size_ = std::min(size_, count);
    return some;
  }

  /// Every n-th of them, from that of the process's rank on; all processes have the same number.
  [[nodiscard]] ClassBatches of(Share share) const {
    auto own = std::make_shared<std::vector<std::vector<std::size_t>>>();
    for (std::size_t i = 0; i < size_ / share.ranks; ++i)
      own->push_back((*batches_)[i * share.ranks + share.rank]);
    ClassBatches some(*this);
    some.size_ = own->size();
    some.batches_ = std::move(own);
    return some;
  }

  [[nodiscard]] Batch get(std::size_t index) const {
    const auto& indices = (*batches_)[index];
    Batch batch{Tensor<float>::uninitialized({indices.size(), Cifar::imageSize}),
                images_->coarse(indices.front()),
                {}};
    float* pixels = batch.images.exclusiveData();
    for (const std::size_t image : indices) {
      pixels = images_->writePixels(image, pixels);
      batch.fine.push_back(images_->fine[image]);
    }
    return batch;
  }

 private:
  const ClassImages* images_;
  std::shared_ptr<const std::vector<std::vector<std::size_t>>> batches_;
  std::size_t size_;
};

}  // namespace tapestry::examples
