#include "tapestry/deeplearning/operations/regularization/batch_norm.hpp"

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Shape BatchShapes::of(std::string_view name, const Shape& x) const {
  channelsOf(name, x, mean);
  channelsOf(name, x, variance);
  return x;
}

void requireVariance(const Channels& channels, const Shape& x) {
  if (channels.values < 2)
    throw ShapeError("batchNorm", "a channel has no variance", toString(x),
                     "at least two values in each channel of a batch that trains");
}

template struct StandardizeBatch<float>;
template struct StandardizeBatch<double>;

}  // namespace tapestry::detail
