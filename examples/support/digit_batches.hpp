// Defines DigitBatches, digits in shuffled batches, each a tensor with its labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tapestry/deeplearning/data/batches.hpp>
#include <tapestry/tensor/tensor.hpp>
#include <utility>
#include <vector>

#include "support/digits.hpp"
#include "support/share.hpp"

namespace tapestry::examples {

/// The digits must outlive it, its epochs and their batches.
class DigitBatches {
  struct Item {
    Digits::Image image;
    std::uint32_t label;
  };

  /// Views of digits, for Batches.
  struct Items {
    const Digits* digits;
    [[nodiscard]] std::size_t size() const { return digits->size(); }
    [[nodiscard]] Item get(std::size_t index) const { return {digits->image(index), digits->labels[index]}; }
  };

 public:
  struct Batch {
    Tensor<float> images;  ///< [size, 784], pixels from 0 to 1
    std::vector<std::uint32_t> labels;
  };

  /// A Dataset, whose tensors are made when they are asked for, so that `prefetchTraverse` makes each while
  /// the one before it is trained.
  class Epoch {
   public:
    explicit Epoch(Batches<Items>::Epoch batches, Share share = {})
        : batches_(std::move(batches)), share_(share) {}

    [[nodiscard]] std::size_t size() const { return batches_.size(); }

    [[nodiscard]] Batch get(std::size_t index) const {
      const std::size_t count = batches_.items(index);
      const auto items =
          batches_.slice(index, count * share_.rank / share_.ranks, count * (share_.rank + 1) / share_.ranks);
      Batch batch{Tensor<float>::uninitialized({items.size(), Digits::imageSize}), {}};
      float* pixels = batch.images.exclusiveData();
      for (const auto& [image, label] : items) {
        pixels = Digits::write(image, pixels);
        batch.labels.push_back(label);
      }
      return batch;
    }

   private:
    Batches<Items>::Epoch batches_;
    Share share_;
  };

  /// The share of one process in batches of options.size items for each process.
  explicit DigitBatches(const Digits& digits, BatchOptions options = {}, Share share = {})
      : batches_({&digits}, scaled(options, share)), share_(share) {}

  /// How many batches an epoch has.
  [[nodiscard]] std::size_t size() const { return batches_.size(); }

  [[nodiscard]] Epoch epoch(std::uint64_t number) const { return Epoch(batches_.epoch(number), share_); }

 private:
  static BatchOptions scaled(BatchOptions options, Share share) {
    options.size *= share.ranks;
    return options;
  }

  Batches<Items> batches_;
  Share share_;
};

}  // namespace tapestry::examples
