#include "tapestry/deeplearning/operations/batch_norm.hpp"

namespace tapestry::detail {

Channels channelsOf(const Shape& x, const Shape& statistics) {
  if (x.rank() < 2 || statistics != Shape{x[1]})
    throw ShapeError("batchNorm", "the channels differ from those of the statistics",
                     toString(x) + " and " + toString(statistics), "[N, C, ...] and [C]");
  std::vector<std::ptrdiff_t> others;
  std::vector<std::size_t> broadcast{x[1]};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis != 1) others.push_back(static_cast<std::ptrdiff_t>(axis));
    if (axis > 1) broadcast.push_back(1);
  }
  const std::size_t values = x[1] == 0 ? 0 : x.size() / x[1];
  return {Axes(others), Shape(std::span<const std::size_t>(broadcast)), values};
}

void requireVariance(const Channels& channels, const Shape& x) {
  if (channels.values < 2)
    throw ShapeError("batchNorm", "a channel has no variance", toString(x),
                     "at least two values in each channel of a batch that trains");
}

}  // namespace tapestry::detail
