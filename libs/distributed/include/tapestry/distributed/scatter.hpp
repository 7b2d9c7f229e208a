// Defines scatter, which gives each rank its share of every batch of a dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "tapestry/deeplearning/data/batches.hpp"
#include "tapestry/distributed/communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// One rank's share of batches. Copied in O(1). Several threads may use one object at once.
template <Dataset D>
class ScatteredBatches {
 public:
  using Batch = typename Batches<D>::Batch;

  /// The rank's shares of the batches of one pass over the dataset. It is itself a Dataset.
  class Epoch {
   public:
    /// Throws the dataset's exceptions.
    std::size_t size() const { return whole_.size(); }

    /// The rank's share of the batch; its items alone are made. May be empty for the last batch. Throws the
    /// dataset's exceptions. Precondition: the index is below size().
    Batch get(std::size_t index) const {
      const std::size_t items = whole_.items(index);
      return whole_.slice(index, items * rank_ / ranks_, items * (rank_ + 1) / ranks_);
    }

    /// The number of items of all ranks' shares of the batch. Precondition: the index is below size().
    std::size_t items(std::size_t index) const noexcept { return whole_.items(index); }

   private:
    friend ScatteredBatches;
    Epoch(typename Batches<D>::Epoch whole, std::size_t rank, std::size_t ranks)
        : whole_(std::move(whole)), rank_(rank), ranks_(ranks) {}

    typename Batches<D>::Epoch whole_;
    std::size_t rank_;
    std::size_t ranks_;
  };

  /// For `rank` of `ranks` ranks; see scatter.
  ScatteredBatches(const Batches<D>& batches, std::size_t rank, std::size_t ranks)
      : whole_(batches.withSize(batches.options().size * ranks)), rank_(rank), ranks_(ranks) {}

  /// The number of batches of an epoch, the same on all ranks. Throws the dataset's exceptions.
  std::size_t size() const { return whole_.size(); }
  /// The epoch with that number, in an order that depends only on the number and the seed. O(items).
  Epoch epoch(std::uint64_t number) const { return Epoch(whole_.epoch(number), rank_, ranks_); }

 private:
  Batches<D> whole_;
  std::size_t rank_;
  std::size_t ranks_;
};

/// This rank's share of batches. Where n ranks scatter batches of b items, the batches of the whole have
/// n * b items, as those of one rank with batches of n * b items and the same seed. Each is cut into n
/// contiguous shares, in order of rank, whose sizes differ by 1 at most. All but the last of an epoch give
/// b items to each rank; the last may give fewer, or none, to some ranks, unless BatchOptions::dropLast. An
/// average over the items of the whole batch weighs the ranks' averages by the sizes of their shares.
/// Nothing is exchanged: all ranks have the same dataset, seed and sizes.
template <Dataset D, Communicator C>
[[nodiscard]] ScatteredBatches<D> scatter(const Batches<D>& batches, const C& communicator) {
  return ScatteredBatches<D>(batches, communicator.rank(), communicator.size());
}

}  // namespace tapestry
#pragma GCC visibility pop
