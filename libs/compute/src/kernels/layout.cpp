#include <tapestry/compute/kernels/device_layout.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/kernels/concat.hpp>
#include <tapestry/tensor/kernels/gather.hpp>
#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernel/source.hpp"
#include "kernels/attached.hpp"
#include "kernels/tensors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using detail::BufferRef;
using detail::constantTensor;
using detail::DeviceExpression;
using detail::DeviceState;
using detail::ExpressionRef;
using detail::storedTensor;

detail::IndexMap mapOf(const kernels::View& view) {
  return detail::IndexMap::of(view.shape, static_cast<std::ptrdiff_t>(view.offset), view.strides);
}

/// Copies the numbers to the device.
BufferRef uploadedIntegers(const std::shared_ptr<DeviceState>& device, std::vector<std::int32_t> numbers) {
  const DeviceState::Lock lock(device->mutex());
  const std::size_t bytes = numbers.size() * sizeof(std::int32_t);
  const auto owner = std::make_shared<const std::vector<std::int32_t>>(std::move(numbers));
  const auto buffer = std::make_shared<detail::DeviceBuffer>(device, bytes);
  device->upload(buffer, owner->data(), bytes, owner);
  return buffer;
}

/// The elements in one row of an axis.
std::size_t innerSize(const Shape& shape, std::size_t axis) {
  return std::accumulate(shape.begin() + axis + 1, shape.end(), std::size_t{1}, std::multiplies());
}

/// The rows that the indices choose, counted from the first.
std::vector<std::int32_t> rowsOf(const Indices& indices, std::size_t extent) {
  std::vector<std::int32_t> rows;
  rows.reserve(indices.size());
  for (const std::int64_t index : indices.values())
    rows.push_back(static_cast<std::int32_t>(*positionOf(index, extent)));
  return rows;
}

/// Where the indices of each row begin in the list that follows, which has the positions of the indices in
/// the order of their rows.
std::vector<std::int32_t> placesOf(const Indices& indices, std::size_t extent) {
  std::vector<std::int32_t> places(extent + 1 + indices.size());
  for (const std::int64_t index : indices.values()) ++places[*positionOf(index, extent) + 1];
  std::partial_sum(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(extent) + 1, places.begin());
  std::vector<std::int32_t> next(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(extent));
  std::int32_t position = 0;
  for (const std::int64_t index : indices.values()) {
    const auto place = static_cast<std::size_t>(next[*positionOf(index, extent)]++);
    places[extent + 1 + place] = position++;
  }
  return places;
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceLayout::filledLike(const DeviceTensor<T>& x, std::type_identity_t<T> value) {
  return constantTensor<T>(x.shape(), value, x.expression()->device);
}

template <class T>
DeviceTensor<T> DeviceLayout::read(const DeviceTensor<T>& x, const kernels::View& view) {
  return DeviceTensor<T>(detail::viewed(x.expression(), view.shape, mapOf(view)));
}

template <class T>
DeviceTensor<T> DeviceLayout::spread(const DeviceTensor<T>& x, const kernels::View& view, const Shape& shape,
                                     std::type_identity_t<T> around) {
  if (x.shape() != view.shape)
    throw ShapeError("spread", "the shape is not the view's", toString(x.shape()), toString(view.shape));
  detail::requireCountable(shape, "spread");
  DeviceExpression& part = *x.expression();
  const bool isSame = part.kind == DeviceExpression::Kind::constant && part.constant == double{around};
  if (x.size() == 0 || isSame) return constantTensor<T>(shape, around, part.device);
  const auto device = detail::requiredDevice("spread", std::array{x.expression()});
  const DeviceState::Lock lock(device->mutex());
  BufferRef to;
  if (x.size() == shape.size()) {  // no element of a view is viewed twice, so nothing is around it
    to = std::make_shared<detail::DeviceBuffer>(device, shape.size() * sizeof(T));
  } else {
    const DeviceTensor<T> background = constantTensor<T>(shape, around, device);
    detail::storeLocked(*background.expression());
    to = background.expression()->buffer;
  }
  detail::storeInto(part, mapOf(view), to);
  return storedTensor<T>(shape, std::move(to), device);
}

template <class T>
DeviceTensor<T> DeviceLayout::concat(const std::vector<DeviceTensor<T>>& parts, std::ptrdiff_t axis) {
  std::vector<Shape> shapes;
  std::vector<ExpressionRef> expressions;
  for (const DeviceTensor<T>& part : parts) {
    shapes.push_back(part.shape());
    expressions.push_back(part.expression());
  }
  const Shape shape = kernels::concatShape(shapes, axis, "concat");
  detail::requireCountable(shape, "concat");
  if (shape.size() == 0) return constantTensor<T>(shape, 0, detail::commonDevice("concat", expressions));
  const auto device = detail::requiredDevice("concat", expressions);
  expressions.clear();  // an expression with one owner is not stored
  const DeviceState::Lock lock(device->mutex());
  const auto whole = std::make_shared<detail::DeviceBuffer>(device, shape.size() * sizeof(T));
  std::size_t first = 0;
  for (const DeviceTensor<T>& part : parts) {
    const std::size_t extent = kernels::extentOf(part.shape(), axis);
    const detail::IndexMap map = mapOf(kernels::partOf(shape, axis, first, extent));
    if (part.expression()->device)
      detail::storeInto(*part.expression(), map, whole);
    else
      detail::storeInto(*detail::onDevice(part.expression(), device), map, whole);
    first += extent;
  }
  return storedTensor<T>(shape, whole, device);
}

template <class T>
DeviceTensor<T> DeviceLayout::gather(const DeviceTensor<T>& x, const Indices& indices, std::ptrdiff_t axis) {
  const Shape shape = kernels::gatherShape(x.shape(), indices, axis);
  detail::requireCountable(shape, "gather");
  const ExpressionRef& from = x.expression();
  if (shape.size() == 0) return constantTensor<T>(shape, 0, from->device);
  if (from->kind == DeviceExpression::Kind::constant)
    return constantTensor<T>(shape, static_cast<T>(from->constant), from->device);
  const std::size_t along = resolveAxis(axis, x.shape(), "gather"), extent = x.shape()[along];
  const BufferRef rows = detail::attachedTo<std::int32_t>(
      indices.attachments(), *from->device, detail::Attached::rows, extent,
      [&] { return uploadedIntegers(from->device, rowsOf(indices, extent)); });
  detail::RowChoice choice{rows, static_cast<std::uint32_t>(extent),
                           static_cast<std::uint32_t>(indices.size()),
                           static_cast<std::uint32_t>(innerSize(x.shape(), along))};
  return DeviceTensor<T>(detail::gathered(from, shape, std::move(choice)));
}

template <class T>
DeviceTensor<T> DeviceLayout::scatter(const DeviceTensor<T>& x, const Indices& indices, std::ptrdiff_t axis,
                                      std::size_t extent) {
  const Shape shape = kernels::scatterShape(x.shape(), indices, axis, extent);
  detail::requireCountable(shape, "scatter");
  DeviceExpression& from = *x.expression();
  const bool isZero = from.kind == DeviceExpression::Kind::constant && from.constant == 0;
  if (x.size() == 0 || isZero) return constantTensor<T>(shape, 0, from.device);
  static_cast<void>(detail::requiredDevice("scatter", std::array{x.expression()}));
  const std::size_t along = *positionOf(axis, shape.rank());
  const BufferRef places = detail::attachedTo<std::int32_t>(
      indices.attachments(), *from.device, detail::Attached::places, extent,
      [&] { return uploadedIntegers(from.device, placesOf(indices, extent)); });
  const DeviceState::Lock lock(from.device->mutex());
  detail::storeLocked(from);
  return detail::computedBy<T>({"scatter", detail::rowSumSource}, {from.buffer, places},
                               {indices.size(), shape[along], innerSize(shape, along)}, shape, from.device);
}

#define TAPESTRY_INSTANTIATE(T)                                                                             \
  template DeviceTensor<T> DeviceLayout::filledLike(const DeviceTensor<T>&, T);                             \
  template DeviceTensor<T> DeviceLayout::read(const DeviceTensor<T>&, const kernels::View&);                \
  template DeviceTensor<T> DeviceLayout::spread(const DeviceTensor<T>&, const kernels::View&, const Shape&, \
                                                T);                                                         \
  template DeviceTensor<T> DeviceLayout::concat(const std::vector<DeviceTensor<T>>&, std::ptrdiff_t);       \
  template DeviceTensor<T> DeviceLayout::gather(const DeviceTensor<T>&, const Indices&, std::ptrdiff_t);    \
  template DeviceTensor<T> DeviceLayout::scatter(const DeviceTensor<T>&, const Indices&, std::ptrdiff_t,    \
                                                 std::size_t);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
