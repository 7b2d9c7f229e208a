#include <algorithm>
#include <limits>
#include <numeric>

#include <tapestry/deeplearning/operations/arithmetic/comparison.hpp>
#include <tapestry/deeplearning/operations/arithmetic/where.hpp>
#include <tapestry/deeplearning/operations/layout/broadcast_to.hpp>
#include <tapestry/deeplearning/operations/layout/concat.hpp>
#include <tapestry/deeplearning/operations/layout/gather.hpp>
#include <tapestry/deeplearning/operations/layout/pad.hpp>
#include <tapestry/deeplearning/operations/layout/permute.hpp>
#include <tapestry/deeplearning/operations/layout/slice.hpp>

#include "call.hpp"
#include "shapes.hpp"
#include "slices.hpp"

namespace tapestry::onnx {

namespace {

std::vector<Value> permuted(const Call& call) {
  if (call.hasAttribute("perm")) {
    const auto order = call.attribute<std::vector<std::int64_t>>("perm");
    return {TensorLayer(permute(call.layer(0), std::vector<std::ptrdiff_t>(order.begin(), order.end())))};
  }
  return {withShape(call.layer(0), [](const TensorLayer& x, const Shape& shape) -> TensorLayer {
    std::vector<std::ptrdiff_t> order;
    for (std::size_t axis = shape.rank(); axis > 0; --axis)
      order.push_back(static_cast<std::ptrdiff_t>(axis - 1));
    return permute(x, order);
  })};
}

std::vector<Value> joined(const Call& call) {
  std::vector<TensorLayer> parts;
  for (std::size_t i = 0; i < call.inputs(); ++i) parts.push_back(call.layer(i));
  if (parts.empty()) call.fail("nothing to join, got no input, expected at least 1");
  return {TensorLayer(concat(parts, call.attribute<std::int64_t>("axis")))};
}

std::vector<Value> sliced(const Call& call) {
  return {withShape(call.layer(0),
                    [place = call.place(), lists = sliceLists(call)](const TensorLayer& x, const Shape& shape)
                        -> TensorLayer { return slice(x, slicesOf(place, lists, shape.rank())); })};
}

/// The part of each output: the lengths, or equal parts if none are given.
std::vector<Value> split(const Call& call) {
  const auto lengths = call.integersOf("split", 1);
  const bool hasLengths = lengths.has_value();
  const auto axis = call.attribute<std::int64_t>("axis", 0);
  const auto parts = static_cast<std::int64_t>(call.outputs());
  if (lengths && static_cast<std::int64_t>(lengths->size()) != parts)
    call.fail("another number of parts, got " + std::to_string(lengths->size()) + " lengths, expected " +
              std::to_string(parts) + " for the outputs");
  constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
  std::vector<Value> results;
  std::int64_t start = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t length = lengths ? (*lengths)[static_cast<std::size_t>(part)] : 0;
    if (length < 0 || length > longest)
      call.fail("a length out of range, got " + std::to_string(length) + ", expected 0 to " +
                std::to_string(longest));
    results.emplace_back(
        withShape(call.layer(0), [=](const TensorLayer& x, const Shape& shape) -> TensorLayer {
          const std::size_t at = resolveAxis(axis, shape, "Split");
          const auto extent = static_cast<std::int64_t>(shape[at]);
          const std::int64_t equal = (extent + parts - 1) / parts;
          std::vector<Slice> slices(at + 1);
          slices.back() = hasLengths ? Slice{start, start + length}
                                     : Slice{part * equal, std::min((part + 1) * equal, extent)};
          return slice(x, slices);
        }));
    start += length;
  }
  return results;
}

std::vector<Value> expanded(const Call& call) {
  const Shape to = shapeFrom(call.place(), call.integers(1).values);
  return {withShape(call.layer(0), [to](const TensorLayer& x, const Shape& shape) -> TensorLayer {
    return broadcastTo(x, broadcast(shape, to, "Expand"));
  })};
}

std::vector<Value> padded(const Call& call) {
  if (const auto mode = call.attribute<std::string>("mode", "constant"); mode != "constant")
    call.fail("the mode is not known, got \"" + mode + "\", expected \"constant\"");
  if (call.has(3)) call.fail("axes are not known, got some, expected pads of all axes");
  const auto pads = call.integersOf("pads", 1).value_or(std::vector<std::int64_t>{});
  const float value = call.has(2) ? call.constant(2).item() : 0.0F;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (pads.size() % 2 != 0 || std::ranges::any_of(pads, [](std::int64_t each) { return each < 0; }))
    call.fail("no pads, got " + std::to_string(pads.size()) +
              " numbers, expected two for each axis, of at least 0");
  for (std::size_t i = 0; i < pads.size() / 2; ++i)
    pairs.emplace_back(static_cast<std::size_t>(pads[i]),
                       static_cast<std::size_t>(pads[i + pads.size() / 2]));
  return {TensorLayer(pad(call.layer(0), pairs, value))};
}

std::vector<Value> gathered(const Call& call) {
  const Integers& chosen = call.integers(1);
  return {TensorLayer(
      gather(call.layer(0), Indices(chosen.shape, chosen.values), call.attribute<std::int64_t>("axis", 0)))};
}

/// Numbers 0, 1, ... along an axis, compared with the indices, in a pass: a small file may ask for a large
/// tensor.
std::vector<Value> oneHot(const Call& call) {
  constexpr std::int64_t most = 1 << 24;  // up to which float has all whole numbers
  const Integers& chosen = call.integers(0);
  const auto& depth = call.integers(1).values;
  const Tensor<float> values = call.constant(2);
  if (depth.size() != 1 || depth[0] < 0 || depth[0] > most)
    call.fail("no depth, got " + (depth.size() == 1 ? std::to_string(depth[0]) : "another number of values") +
              ", expected a number up to " + std::to_string(most));
  if (values.size() != 2)
    call.fail("no values, got " + std::to_string(values.size()) + " numbers, expected 2");
  std::vector<std::size_t> extents(chosen.shape.begin(), chosen.shape.end());
  extents.push_back(1);
  const std::size_t at = resolveAxis(call.attribute<std::int64_t>("axis", -1), Shape(extents), "OneHot");
  extents.pop_back();
  std::vector<std::size_t> along(extents.size() + 1 - at, 1);
  along.front() = static_cast<std::size_t>(depth[0]);
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(at), 1);
  auto places = Tensor<float>::uninitialized(Shape(extents));
  std::ranges::transform(chosen.values, places.exclusiveData(), [&](std::int64_t place) {
    return static_cast<float>(place < 0 ? place + depth[0] : place);
  });
  auto numbers = Tensor<float>::uninitialized(Shape(along));
  std::iota(numbers.exclusiveData(), numbers.exclusiveData() + depth[0], 0.0F);
  const auto here = equal(TensorLayer(places), TensorLayer(numbers));
  return {TensorLayer(where(here, values.data()[1], values.data()[0]))};
}

}  // namespace

void addLayouts(Handlers& handlers) {
  addShapes(handlers);
  handlers.insert({{"Transpose", permuted},
                   {"Concat", joined},
                   {"Slice", sliced},
                   {"Split", split},
                   {"Expand", expanded},
                   {"Pad", padded},
                   {"Gather", gathered},
                   {"OneHot", oneHot}});
}

}  // namespace tapestry::onnx
