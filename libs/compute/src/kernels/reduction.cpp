#include <tapestry/compute/kernels/device_reduction.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/formula.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/attached.hpp"
#include "kernels/tensors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using Elementwise = DeviceElementwise;

template <class T>
DeviceTensor<T> reduce(DeviceTensor<T> x, detail::Reduction reduction, const Axes& axes, bool keepDims,
                       std::string_view operation) {
  const auto resolved = axes.resolve(x.shape(), operation);
  const Shape shape = reducedShape(x.shape(), resolved, keepDims);
  if (x.expression()->device) detail::requireCountable(shape, operation);
  return DeviceTensor<T>(detail::reduced(std::move(x).expression(), reduction, resolved, shape));
}

/// Throws ShapeError, naming `operation`, for an axis with an index that is no float.
void requireFloats(std::string_view operation, const Shape& shape, std::size_t axis) {
  constexpr std::size_t most = std::size_t{1} << 24;
  if (shape[axis] > most)
    throw ShapeError(operation, "too many elements to choose from", toString(shape),
                     "an extent of at most " + std::to_string(most));
}

/// The indices of an axis, as a tensor of the rank that broadcasts along it.
template <class T>
DeviceTensor<T> indicesAlong(std::size_t axis, const Shape& shape,
                             const std::shared_ptr<detail::DeviceState>& device) {
  std::vector<std::size_t> extents(shape.rank(), 1);
  extents[axis] = shape[axis];
  return DeviceTensor<T>(
      detail::counter(std::same_as<T, double>, Shape(std::span<const std::size_t>(extents)), device));
}

/// The labels as numbers on the device.
template <class T>
detail::BufferRef uploadedLabels(const std::shared_ptr<detail::DeviceState>& device,
                                 const kernels::Labels& labels) {
  const auto upload = [&] {
    const std::vector<T> numbers(labels.begin(), labels.end());
    return DeviceTensor<T>(Device(device), Tensor<T>(Shape{labels.size()}, numbers)).expression()->buffer;
  };
  if (labels.attachments == nullptr) return upload();
  return detail::attachedTo<T>(*labels.attachments, *device, detail::Attached::labels, 0, upload);
}

/// 1 where the class of a logit is the row's label, else 0.
template <class T>
DeviceTensor<T> oneHot(const DeviceTensor<T>& logits, const kernels::Labels& labels) {
  kernels::requireLabels(logits.shape(), labels);
  if constexpr (std::same_as<T, float>)
    requireFloats("softmaxCrossEntropy", logits.shape(), logits.rank() - 1);
  const auto device = detail::requiredDevice("crossEntropyRows", std::array{logits.expression()});
  const Shape rows = logits.rank() == 2 ? Shape{labels.size(), 1} : Shape{1};
  return Elementwise::equal(detail::storedTensor<T>(rows, uploadedLabels<T>(device, labels), device),
                            indicesAlong<T>(0, {logits.shape()[logits.rank() - 1]}, device));
}

/// The scores of the keys that a query may see, and -inf for the others.
template <class T>
DeviceTensor<T> seenByQueries(const DeviceTensor<T>& scores) {
  const auto device = detail::requiredDevice("scaledDotProductAttention", std::array{scores.expression()});
  const auto seen = [](auto score, auto ofQuery, auto ofKey) {
    return where(ofQuery >= ofKey, score, -std::numeric_limits<double>::infinity());
  };
  return kernels::evaluate("causal", seen, scores, indicesAlong<T>(scores.rank() - 2, scores.shape(), device),
                           indicesAlong<T>(scores.rank() - 1, scores.shape(), device));
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceReduction::sum(DeviceTensor<T> x, const Axes& axes, bool keepDims) {
  return reduce(std::move(x), detail::Reduction::sum, axes, keepDims, "sum");
}

template <class T>
DeviceTensor<T> DeviceReduction::mean(DeviceTensor<T> x, const Axes& axes, bool keepDims) {
  const auto size = static_cast<T>(x.size());
  DeviceTensor<T> total = reduce(std::move(x), detail::Reduction::sum, axes, keepDims, "mean");
  const T terms = size / static_cast<T>(total.size());
  return Elementwise::divide(std::move(total), terms);
}

template <class T>
DeviceTensor<T> DeviceReduction::max(DeviceTensor<T> x, const Axes& axes, bool keepDims,
                                     std::string_view operation) {
  const Shape shape = reducedShape(x.shape(), axes.resolve(x.shape(), operation), keepDims);
  if (x.size() == 0 && shape.size() != 0)
    throw ShapeError(operation, "nothing to choose from", toString(x.shape()), "axes with extents above 0");
  return reduce(std::move(x), detail::Reduction::max, axes, keepDims, operation);
}

template <class T>
DeviceTensor<T> DeviceReduction::maxDerivative(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                               const Axes& axes) {
  const DeviceTensor<T> largest = Elementwise::equal(x, max(x, axes, true, "max"));
  const DeviceTensor<T> count = sum(largest, axes, true);
  const Shape kept = count.shape();
  if (delta.size() != count.size())
    throw ShapeError("max", "the delta has another size", toString(delta.shape()), toString(kept));
  return Elementwise::where(largest, Elementwise::divide(delta.reshape(kept), count));
}

template <class T>
Do<Indices> DeviceReduction::argmax(const DeviceTensor<T>& x, std::ptrdiff_t axis, bool keepDims) {
  const std::size_t along = resolveAxis(axis, x.shape(), "argmax");
  if (x.shape()[along] == 0)
    throw ShapeError("argmax", "nothing to choose from",
                     toString(x.shape()) + " along axis " + std::to_string(along), "an extent of at least 1");
  requireFloats("argmax", x.shape(), along);
  const Shape shape = reducedShape(x.shape(), Axes({axis}).resolve(x.shape(), "argmax"), keepDims);
  const auto& device = x.expression()->device;
  if (!device)  // all elements of a constant are equal
    return Do<Indices>::now(Indices(shape, std::vector<std::int64_t>(shape.size())));
  const auto chosen = [](auto value, auto largest, auto index) {
    return where((value >= largest) | (value != value), index, std::numeric_limits<double>::infinity());
  };
  const DeviceTensor<T> candidates = kernels::evaluate("argmax", chosen, x, max(x, {axis}, true, "argmax"),
                                                       indicesAlong<T>(along, x.shape(), device));
  return reduce(candidates, detail::Reduction::min, {axis}, keepDims, "argmax")
      .toHost()
      .map([](const Tensor<T>& indices) {
        return Indices(indices.shape(),
                       std::vector<std::int64_t>(indices.data(), indices.data() + indices.size()));
      });
}

template <class T>
DeviceTensor<T> DeviceReduction::sumTo(const DeviceTensor<T>& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  kernels::requireBroadcast("sumTo", shape, x.shape());
  std::vector<std::ptrdiff_t> axes;
  const std::size_t added = x.rank() - shape.rank();
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (axis < added || (shape[axis - added] == 1 && x.shape()[axis] != 1))
      axes.push_back(static_cast<std::ptrdiff_t>(axis));
  return sum(x, Axes(axes), true).reshape(shape);
}

template <class T>
DeviceTensor<T> DeviceReduction::crossEntropyRows(const DeviceTensor<T>& logits,
                                                  const kernels::Labels& labels) {
  const DeviceTensor<T> labelled = oneHot(logits, labels);
  if (logits.size() == 0) return sum(logits, {-1});
  const DeviceTensor<T> shifted =
      Elementwise::subtract(logits, kernels::finiteOrZero(max(logits, {-1}, true)));
  const DeviceTensor<T> chosen = sum(Elementwise::where(labelled, shifted), {-1});
  return Elementwise::subtract(Elementwise::log(sum(Elementwise::exp(shifted), {-1})), chosen);
}

template <class T>
DeviceTensor<T> DeviceReduction::crossEntropyRowsDerivative(const DeviceTensor<T>& delta,
                                                            const DeviceTensor<T>& logits,
                                                            const kernels::Labels& labels) {
  DeviceTensor<T> labelled = oneHot(logits, labels);
  const Shape perRow = logits.rank() == 2 ? Shape{labels.size()} : Shape();
  if (delta.shape() != perRow)
    throw ShapeError("softmaxCrossEntropy", "a delta of the wrong shape", toString(delta.shape()),
                     toString(perRow));
  const DeviceTensor<T> rows = logits.rank() == 2 ? delta.reshape({labels.size(), 1}) : delta;
  return Elementwise::multiply(rows,
                               Elementwise::subtract(kernels::softmax(logits, {-1}), std::move(labelled)));
}

template <class T>
DeviceTensor<T> DeviceReduction::attentionWeights(const DeviceTensor<T>& scores,
                                                  const kernels::Attention& attention) {
  if (scores.size() == 0) return scores;
  if (scores.rank() < 2)  // one row
    return attentionWeights(scores.reshape({1, scores.size()}), attention).reshape(scores.shape());
  const DeviceTensor<T> seen = attention.causal ? seenByQueries(scores) : scores;
  // a row of -inf only becomes 0
  const DeviceTensor<T> most = kernels::finiteOrZero(max(seen, {-1}, true));
  const DeviceTensor<T> each = Elementwise::exp(Elementwise::subtract(seen, most));
  const DeviceTensor<T> total = sum(each, {-1}, true);
  // NaN if the total is infinite
  const DeviceTensor<T> divisor = Elementwise::add(total, Elementwise::subtract(total, total));
  // what a query may not see is 0 even then, as is a score whose exponential is 0
  return Elementwise::where(attention.causal ? each : total, Elementwise::divide(each, divisor));
}

#define TAPESTRY_INSTANTIATE(T)                                                                           \
  template DeviceTensor<T> DeviceReduction::sum(DeviceTensor<T>, const Axes&, bool);                      \
  template DeviceTensor<T> DeviceReduction::mean(DeviceTensor<T>, const Axes&, bool);                     \
  template DeviceTensor<T> DeviceReduction::max(DeviceTensor<T>, const Axes&, bool, std::string_view);    \
  template DeviceTensor<T> DeviceReduction::maxDerivative(const DeviceTensor<T>&, const DeviceTensor<T>&, \
                                                          const Axes&);                                   \
  template Do<Indices> DeviceReduction::argmax(const DeviceTensor<T>&, std::ptrdiff_t, bool);             \
  template DeviceTensor<T> DeviceReduction::sumTo(const DeviceTensor<T>&, const Shape&);                  \
  template DeviceTensor<T> DeviceReduction::crossEntropyRows(const DeviceTensor<T>&,                      \
                                                             const kernels::Labels&);                     \
  template DeviceTensor<T> DeviceReduction::crossEntropyRowsDerivative(                                   \
      const DeviceTensor<T>&, const DeviceTensor<T>&, const kernels::Labels&);                            \
  template DeviceTensor<T> DeviceReduction::attentionWeights(const DeviceTensor<T>&,                      \
                                                             const kernels::Attention&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
