#include "expression/index_map.hpp"

#include <tapestry/tensor/kernels/view.hpp>

namespace tapestry::detail {

IndexMap IndexMap::of(const Shape& shape, std::ptrdiff_t offset, std::span<const std::ptrdiff_t> strides) {
  IndexMap map;
  map.offset = static_cast<std::uint32_t>(offset);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    map.repeats |= strides[axis] == 0;
    const Axis next{static_cast<std::uint32_t>(shape[axis]), static_cast<std::int32_t>(strides[axis])};
    Axis* const last = map.rank == 0 ? nullptr : &map.axes[map.rank - 1];
    if (last != nullptr && last->stride == std::int64_t{next.stride} * next.extent)
      *last = {last->extent * next.extent, next.stride};
    else
      map.axes[map.rank++] = next;
  }
  if (map.rank == 1 && map.axes[0].stride == 0) map.rank = 0;  // one element for all coordinates
  return map;
}

IndexMap IndexMap::broadcast(const Shape& from, const Shape& to) {
  const auto own = kernels::View::of(from).strides;
  std::array<std::ptrdiff_t, Shape::maxRank> strides{};
  for (std::size_t axis = 0; axis < from.rank(); ++axis)
    if (from[axis] != 1) strides[to.rank() - from.rank() + axis] = own[axis];
  return of(to, 0, strides);
}

}  // namespace tapestry::detail
