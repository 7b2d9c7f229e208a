#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/layers/multi_head_attention.hpp"
#include "tapestry/deeplearning/operations/convolution/conv2d.hpp"
#include "tapestry/deeplearning/operations/regularization/batch_norm.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Channels channelsOf(std::string_view name, const Shape& x, const Shape& perChannel, std::string_view role) {
  if (x.rank() < 2) throw ShapeError(name, "no axis of channels", toString(x), "[N, C, ...]");
  if (perChannel != Shape{x[1]})
    throw ShapeError(name, "the " + std::string(role) + " does not fit the channels",
                     toString(perChannel) + " for " + toString(x), toString(Shape{x[1]}));
  std::vector<std::ptrdiff_t> others;
  std::vector<std::size_t> broadcast{x[1]};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis != 1) others.push_back(static_cast<std::ptrdiff_t>(axis));
    if (axis > 1) broadcast.push_back(1);
  }
  const std::size_t values = x[1] == 0 ? 0 : x.size() / x[1];
  return {Axes(std::span<const std::ptrdiff_t>(others)), Shape(std::span<const std::size_t>(broadcast)),
          values};
}

Shape BatchShapes::of(std::string_view name, const Shape& x) const {
  channelsOf(name, x, mean, "running mean");
  channelsOf(name, x, variance, "running variance");
  return x;
}

void requireVariance(const Channels& channels, const Shape& x) {
  if (channels.values < 2)
    throw ShapeError("batchNorm", "a channel has no variance", toString(x),
                     "at least two values in each channel of a batch that trains");
}

template struct StandardizeBatch<float>;
template struct StandardizeBatch<double>;

float Conv2dShapes::cost(const Shape* x, const Shape* w) const noexcept {
  constexpr float perMultiplication = 0.03f;
  if (!x || !w) return 300 + static_cast<float>((x ? x->size() : 0) + (w ? w->size() : 0));
  // they fit, else there would be no node
  return 10000 + perMultiplication * 3 * static_cast<float>(multiplications(*x, *w));
}

Shape SplitShapes::of(std::string_view name, const Shape& from) const {
  const std::size_t rank = from.rank();
  if (rank < 2 || from[rank - 1] % heads != 0)
    throw ShapeError(name, "the rows cannot be divided among heads", toString(from),
                     "[..., T, E] with an E that " + std::to_string(heads) + " divides");
  std::vector<std::size_t> extents(from.begin(), from.end() - 2);
  extents.insert(extents.end(), {heads, from[rank - 2], from[rank - 1] / heads});
  return Shape(extents);
}

Shape JoinShapes::of(std::string_view name, const Shape& from) {
  const std::size_t rank = from.rank();
  if (rank < 3) throw ShapeError(name, "no heads to join", toString(from), "[..., heads, T, D]");
  std::vector<std::size_t> extents(from.begin(), from.end() - 3);
  extents.insert(extents.end(), {from[rank - 2], from[rank - 3] * from[rank - 1]});
  return Shape(extents);
}

kernels::View swappedRows(const Shape& from) {
  std::vector<std::ptrdiff_t> axes(from.rank());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[from.rank() - 2], axes[from.rank() - 3]);
  return kernels::View::permuted(from, axes, "multiHeadAttention");
}

}  // namespace tapestry::detail
