#include <tapestry/tensor/kernels/gather.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/shape_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

// Returns the shape with `with` in place of `count` axes from `axis` on.
Shape replaced(const Shape& shape, std::size_t axis, std::size_t count, const Shape& with) {
  std::vector<std::size_t> extents(shape.begin(), shape.begin() + axis);
  extents.insert(extents.end(), with.begin(), with.end());
  extents.insert(extents.end(), shape.begin() + axis + count, shape.end());
  return Shape(std::span<const std::size_t>(extents));
}

void requireIndices(std::string_view operation, const Indices& indices, std::size_t axis,
                    std::size_t extent) {
  for (const std::int64_t index : indices.values())
    if (!positionOf(index, extent))
      throw std::out_of_range("tapestry::" + std::string(operation) + ": index out of range, got " +
                              std::to_string(index) + " along axis " + std::to_string(axis) + " of extent " +
                              std::to_string(extent) +
                              ", expected indices below the extent, or down to minus it");
}

// Calls slice(offset in the indexed tensor, offset in the other tensor, length) for each slice.
template <class F>
void forEachSlice(const Shape& indexed, const Indices& indices, std::size_t axis, const F& slice) {
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::size_t{1}, std::multiplies());
  };
  const std::size_t outer = product(indexed.begin(), indexed.begin() + axis);
  const std::size_t inner = product(indexed.begin() + axis + 1, indexed.end());
  std::size_t other = 0;
  for (std::size_t first = 0; first < outer * indexed[axis]; first += indexed[axis])
    for (const std::int64_t index : indices.values()) {
      slice((first + *positionOf(index, indexed[axis])) * inner, other, inner);
      other += inner;
    }
}

}  // namespace

Shape gatherShape(const Shape& shape, const Indices& indices, std::ptrdiff_t axis) {
  const std::size_t along = resolveAxis(axis, shape, "gather");
  requireIndices("gather", indices, along, shape[along]);
  return replaced(shape, along, 1, indices.shape());
}

template <class T>
Tensor<T> gather(const Tensor<T>& x, const Indices& indices, std::ptrdiff_t axis) {
  auto result = Tensor<T>::uninitialized(gatherShape(x.shape(), indices, axis));
  if (result.size() == 0) return result;
  forEachSlice(x.shape(), indices, *positionOf(axis, x.rank()),
               [from = x.data(), to = result.exclusiveData()](std::size_t i, std::size_t j, std::size_t n) {
                 std::copy_n(from + i, n, to + j);
               });
  return result;
}

Shape scatterShape(const Shape& shape, const Indices& indices, std::ptrdiff_t axis, std::size_t extent) {
  const Shape& part = indices.shape();
  const auto fault = [&] {
    return ShapeError("scatter", "the indices' axes are not there",
                      toString(shape) + " for indices " + toString(part) + " at axis " + std::to_string(axis),
                      "the indices' extents from that axis on");
  };
  if (part.rank() > shape.rank()) throw fault();
  const auto along = positionOf(axis, shape.rank() - part.rank() + 1);
  if (!along || !std::equal(part.begin(), part.end(), shape.begin() + *along)) throw fault();
  requireIndices("scatter", indices, *along, extent);
  return replaced(shape, *along, part.rank(), Shape{extent});
}

template <class T>
Tensor<T> scatter(const Tensor<T>& x, const Indices& indices, std::ptrdiff_t axis, std::size_t extent) {
  auto result = Tensor<T>::zeros(scatterShape(x.shape(), indices, axis, extent));
  if (x.size() == 0) return result;
  forEachSlice(result.shape(), indices, *positionOf(axis, result.rank()),
               [to = result.exclusiveData(), from = x.data()](std::size_t i, std::size_t j, std::size_t n) {
                 std::transform(from + j, from + j + n, to + i, to + i, std::plus());
               });
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                \
  template Tensor<T> gather(const Tensor<T>&, const Indices&, std::ptrdiff_t); \
  template Tensor<T> scatter(const Tensor<T>&, const Indices&, std::ptrdiff_t, std::size_t);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
