// Defines BucketPlan, which weights' gradients one allReduce combines.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tapestry/deeplearning/extend/gradient.hpp"

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

}  // namespace tapestry::detail
