// Defines Batches, a dataset in batches, shuffled anew for each epoch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/data/dataset.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Returns 0, ..., size - 1, shuffled by the seed and the epoch's number: the same on every machine.
std::vector<std::size_t> epochOrder(std::size_t size, std::uint64_t seed, std::uint64_t epoch);

/// Throws std::invalid_argument for batches of no items.
void checkBatchSize(std::size_t size);

}  // namespace detail

struct BatchOptions {
  std::size_t size = 32;   ///< items of a batch
  std::uint64_t seed = 0;  ///< for the orders of all epochs
  bool shuffle = true;     ///< if false, items keep the dataset's order
  bool dropLast = false;   ///< drops the last batch if it would have fewer items
};

/// Copied in O(1); all copies share one dataset. Several threads may use one object at once.
template <Dataset D>
class Batches {
 public:
  using Batch = std::vector<ItemOf<D>>;

  /// The batches of one pass over the dataset. It is itself a Dataset, which makes its items on request.
  class Epoch {
   public:
    /// Throws the dataset's exceptions.
    std::size_t size() const { return batches_.size(); }

    /// Throws the dataset's exceptions. Precondition: the index is below size().
    Batch get(std::size_t index) const { return slice(index, 0, items(index)); }

    /// The number of items of the batch. Precondition: the index is below size().
    std::size_t items(std::size_t index) const noexcept {
      return std::min(batches_.options_.size, order_->size() - index * batches_.options_.size);
    }

    /// The items of the batch from `first` up to `last`, without the others. Throws the dataset's exceptions.
    /// Precondition: the index is below size(), and first <= last <= items(index).
    Batch slice(std::size_t index, std::size_t first, std::size_t last) const {
      Batch batch;
      const std::size_t begin = index * batches_.options_.size;
      batch.reserve(last - first);
      for (std::size_t i = first; i < last; ++i)
        batch.push_back(batches_.dataset_->get((*order_)[begin + i]));
      return batch;
    }

   private:
    friend Batches;
    Epoch(Batches batches, std::vector<std::size_t> order)
        : batches_(std::move(batches)),
          order_(std::make_shared<const std::vector<std::size_t>>(std::move(order))) {}

    Batches batches_;
    std::shared_ptr<const std::vector<std::size_t>> order_;
  };

  /// Throws std::invalid_argument for batches of no items.
  explicit Batches(D dataset, BatchOptions options = {})
      : dataset_(std::make_shared<const D>(std::move(dataset))), options_(options) {
    detail::checkBatchSize(options.size);
  }

  /// The number of batches of an epoch. Throws the dataset's exceptions.
  std::size_t size() const {
    const std::size_t items = dataset_->size();
    return items / options_.size + (!options_.dropLast && items % options_.size != 0);
  }

  const BatchOptions& options() const noexcept { return options_; }

  /// The same dataset with the same orders of its epochs, in batches of `size` items. Throws
  /// std::invalid_argument for batches of no items.
  Batches withSize(std::size_t size) const {
    detail::checkBatchSize(size);
    Batches other = *this;
    other.options_.size = size;
    return other;
  }

  /// Returns the epoch with that number, in an order that depends only on the number and the seed: it is the
  /// same on every machine, and when training is resumed. Throws the dataset's exceptions. O(items).
  Epoch epoch(std::uint64_t number) const {
    const std::size_t items = dataset_->size();
    if (options_.shuffle) return Epoch(*this, detail::epochOrder(items, options_.seed, number));
    std::vector<std::size_t> order(items);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return Epoch(*this, std::move(order));
  }

 private:
  std::shared_ptr<const D> dataset_;
  BatchOptions options_;
};

}  // namespace tapestry
#pragma GCC visibility pop
