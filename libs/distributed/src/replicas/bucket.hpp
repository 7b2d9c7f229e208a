// Defines Bucket, the gradients of one pass that one allReduce combines, and BucketPlan, its layout.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "tapestry/concurrent/event.hpp"
#include "tapestry/deeplearning/extend/gradient.hpp"
#include "tapestry/distributed/any_communicator.hpp"

namespace tapestry::detail {

/// The place of a weight's gradient in a bucket, in elements.
struct BucketSlot {
  std::size_t weight;  ///< its index in the model
  std::size_t offset;
  std::size_t size;
};

struct BucketPlan {
  bool isDouble = false;
  std::size_t elements = 0;
  std::vector<BucketSlot> slots;
};

/// Returns buckets of at most `bytes` bytes, unless one weight has more, for all weights but tables, from the
/// last to the first. A bucket has elements of one type.
std::vector<BucketPlan> planBuckets(std::span<const extend::WeightForm> weights, std::size_t bytes);

/// The gradients of different slots may be put by several threads at once.
class Bucket {
 public:
  /// The plan must outlive the bucket.
  explicit Bucket(const BucketPlan& plan);

  const BucketPlan& plan() const noexcept { return *plan_; }

  /// Sets the slot to the gradient times the factor, and the event `ready` if it was the last slot.
  /// Precondition: the slot has not been put. Cost: a copy; none for the only slot of a bucket, if the tensor
  /// is unique.
  bool put(std::size_t slot, extend::Gradient gradient, double factor);
  bool has(std::size_t slot) const noexcept { return filled_[slot] != 0; }
  bool isFull() const noexcept { return missing_.load(std::memory_order_acquire) == 0; }

  /// Adds up the elements of all ranks, in place. Precondition: isFull().
  Do<void> allReduce(const AnyCommunicator& communicator);

  /// Returns the elements of a slot as a gradient of the shape.
  extend::Gradient gradient(std::size_t slot, const Shape& shape) const;

  Event ready;   ///< set when the bucket is full, and by others at the end of the pass
  Event passed;  ///< set by others when it has been reduced, or is left to the end
  std::atomic<bool> isReduced{false};

 private:
  const BucketPlan* plan_;
  std::variant<Tensor<float>, Tensor<double>> elements_;
  void* data_ = nullptr;  ///< of the elements, for writing
  std::vector<std::uint8_t> filled_;
  std::atomic<std::size_t> missing_;
};

}  // namespace tapestry::detail
