#include <tapestry/tensor/kernels/view.hpp>

#include <algorithm>
#include <bitset>
#include <string>

#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/shape_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

/// Calls row(offset) for each row along the last axis, in the view's order.
template <class F>
void forEachRow(const View& view, std::size_t axis, std::ptrdiff_t offset, const F& row) {
  if (axis + 1 >= view.shape.rank()) return row(offset);
  for (std::size_t i = 0; i < view.shape[axis]; ++i)
    forEachRow(view, axis + 1, offset + static_cast<std::ptrdiff_t>(i) * view.strides[axis], row);
}

struct Row {
  explicit Row(const View& view) noexcept {
    if (view.shape.rank() == 0) return;
    length = view.shape[view.shape.rank() - 1];
    stride = view.strides[view.shape.rank() - 1];
  }
  std::size_t length = 1;
  std::ptrdiff_t stride = 1;
};

}  // namespace

View View::of(const Shape& shape) noexcept {
  View view{shape, 0, {}};
  std::ptrdiff_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    view.strides[axis] = stride;
    stride *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return view;
}

View View::permuted(const Shape& shape, std::span<const std::ptrdiff_t> axes, std::string_view operation) {
  const auto fault = [&](std::string_view problem) {
    std::string got = "(";
    for (const auto axis : axes) got += (got.size() > 1 ? ", " : "") + std::to_string(axis);
    return ShapeError(operation, problem, got + ") of " + toString(shape), "each axis once");
  };
  if (axes.size() != shape.rank()) throw fault("wrong number of axes");
  const View whole = of(shape);
  View view;
  std::array<std::size_t, Shape::maxRank> extents{};
  std::bitset<Shape::maxRank> seen;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto from = positionOf(axes[i], shape.rank());
    if (!from) throw fault("axis out of range");
    if (seen[*from]) throw fault("axis chosen twice");
    seen.set(*from);
    extents[i] = shape[*from];
    view.strides[i] = whole.strides[*from];
  }
  view.shape = Shape(std::span<const std::size_t>(extents.data(), axes.size()));
  return view;
}

View View::sliced(const Shape& shape, std::span<const Slice> slices, std::string_view operation) {
  if (slices.size() > shape.rank())
    throw ShapeError(operation, "too many slices", std::to_string(slices.size()) + " of " + toString(shape),
                     "at most one for each axis");
  View view = of(shape);
  std::array<std::size_t, Shape::maxRank> extents{};
  std::copy(shape.begin(), shape.end(), extents.begin());
  for (std::size_t axis = 0; axis < slices.size(); ++axis) {
    const Slice::Range range = slices[axis].of(shape[axis], operation);
    extents[axis] = range.count;
    view.offset += range.first * static_cast<std::size_t>(view.strides[axis]);
    if (range.count > 1) view.strides[axis] *= range.step;
  }
  view.shape = Shape(std::span<const std::size_t>(extents.data(), shape.rank()));
  return view;
}

template <class T>
Tensor<T> read(const Tensor<T>& x, const View& view) {
  auto result = Tensor<T>::uninitialized(view.shape);
  if (result.size() == 0) return result;
  const Row row(view);
  T* out = result.exclusiveData();
  forEachRow(view, 0, static_cast<std::ptrdiff_t>(view.offset), [&, data = x.data()](std::ptrdiff_t offset) {
    const T* from = data + offset;
    if (row.stride == 1) {
      out = std::copy_n(from, row.length, out);
    } else {
      for (std::size_t i = 0; i < row.length; ++i) *out++ = from[static_cast<std::ptrdiff_t>(i) * row.stride];
    }
  });
  return result;
}

template <class T>
void write(Tensor<T>& target, const Tensor<T>& x, const View& view) {
  if (x.shape() != view.shape)
    throw ShapeError("write", "the shapes differ", toString(x.shape()), toString(view.shape));
  if (x.size() == 0) return;
  const Row row(view);
  const T* from = x.data();
  forEachRow(view, 0, static_cast<std::ptrdiff_t>(view.offset),
             [&, data = target.exclusiveData()](std::ptrdiff_t offset) {
               T* const to = data + offset;
               for (std::size_t i = 0; i < row.length; ++i)
                 to[static_cast<std::ptrdiff_t>(i) * row.stride] = *from++;
             });
}

#define TAPESTRY_INSTANTIATE(T)                           \
  template Tensor<T> read(const Tensor<T>&, const View&); \
  template void write(Tensor<T>&, const Tensor<T>&, const View&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
