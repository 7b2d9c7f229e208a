#include <algorithm>
#include <limits>
#include <numeric>

#include <tapestry/deeplearning/operations/arithmetic/add.hpp>
#include <tapestry/deeplearning/operations/arithmetic/comparison.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/arithmetic/where.hpp>
#include <tapestry/deeplearning/operations/layout/broadcast_to.hpp>
#include <tapestry/deeplearning/operations/layout/concat.hpp>
#include <tapestry/deeplearning/operations/layout/gather.hpp>
#include <tapestry/deeplearning/operations/layout/pad.hpp>
#include <tapestry/deeplearning/operations/layout/permute.hpp>
#include <tapestry/deeplearning/operations/layout/reshape.hpp>
#include <tapestry/deeplearning/operations/layout/slice.hpp>
#include <tapestry/tensor/position.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

#include "call.hpp"

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

/// The bounds of ONNX's Slice: lists of one length, with an entry for each sliced axis.
struct SliceLists {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> steps;
};

/// The bounds as Slice has them, which clamps them and which leaves out bounds beyond the ends.
Slice sliceOf(std::int64_t start, std::int64_t end, std::int64_t step) {
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
  Slice slice{start, end, step};
  if (step > 0 && end >= far) slice.stop = Slice::end;
  if (step < 0 && end <= -far) slice.stop = Slice::end;
  if (step < 0 && start >= far) slice.start = Slice::end;
  // a slice that begins or ends there is empty; Slice::end would mean that the bound is left out
  if (step > 0 && start >= far) slice.start = far;
  if (step < 0 && end >= far) slice.stop = far;
  return slice;
}

/// Returns a slice for each axis.
std::vector<Slice> slicesOf(const Place& place, const SliceLists& lists, std::size_t rank) {
  std::vector<Slice> slices(rank);
  for (std::size_t i = 0; i < lists.axes.size(); ++i) {
    const auto axis = positionOf(lists.axes[i], rank);
    if (!axis)
      place.fail("axis out of range, got " + std::to_string(lists.axes[i]) + ", expected one of " +
                 std::to_string(rank) + " axes");
    if (lists.steps[i] == 0) place.fail("no step, got 0, expected another number");
    slices[*axis] = sliceOf(lists.starts[i], lists.ends[i], lists.steps[i]);
  }
  return slices;
}

SliceLists sliceLists(const Call& call) {
  SliceLists lists{call.integers(1).values, call.integers(2).values, {}, {}};
  const std::size_t count = lists.starts.size();
  if (call.has(3)) {
    lists.axes = call.integers(3).values;
  } else {
    for (std::size_t i = 0; i < count; ++i) lists.axes.push_back(static_cast<std::int64_t>(i));
  }
  lists.steps = call.has(4) ? call.integers(4).values : std::vector<std::int64_t>(count, 1);
  if (lists.ends.size() != count || lists.axes.size() != count || lists.steps.size() != count)
    call.fail("the lists differ, got " + std::to_string(count) + " starts, " +
              std::to_string(lists.ends.size()) + " ends, " + std::to_string(lists.axes.size()) +
              " axes and " + std::to_string(lists.steps.size()) + " steps, expected as many of each");
  return lists;
}

std::vector<Value> sliced(const Call& call) {
  return {withShape(call.layer(0),
                    [place = call.place(), lists = sliceLists(call)](const TensorLayer& x, const Shape& shape)
                        -> TensorLayer { return slice(x, slicesOf(place, lists, shape.rank())); })};
}

std::int64_t totalOf(const Call& call, const std::vector<std::int64_t>& lengths) {
  constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t length : lengths)
    if (length < 0 || length > longest)
      call.fail("a length out of range, got " + std::to_string(length) + ", expected 0 to " +
                std::to_string(longest));
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
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
  const std::int64_t total = lengths ? totalOf(call, *lengths) : 0;
  std::vector<Value> results;
  std::int64_t start = 0;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t length = lengths ? (*lengths)[static_cast<std::size_t>(part)] : 0;
    results.emplace_back(withShape(
        call.layer(0), [=, place = call.place()](const TensorLayer& x, const Shape& shape) -> TensorLayer {
          const std::size_t at = resolveAxis(axis, shape, "Split");
          const auto extent = static_cast<std::int64_t>(shape[at]);
          if (hasLengths && total != extent)
            place.fail("the lengths do not fit the extent, got " + std::to_string(total) +
                       " together, expected " + std::to_string(extent));
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
    call.fail("the mode is not known, got " + excerpt(mode) + ", expected \"constant\"");
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
  return {withShape(call.layer(0), [=, place = call.place()](const TensorLayer& x, const Shape& shape) {
    if (pairs.size() != shape.rank())
      place.fail("no pads, got " + std::to_string(pairs.size()) + " pairs, expected one for each of " +
                 std::to_string(shape.rank()) + " axes");
    return TensorLayer(pad(x, pairs, value));
  })};
}

std::vector<Value> gathered(const Call& call) {
  const Integers& chosen = call.integers(1);
  return {TensorLayer(
      gather(call.layer(0), Indices(chosen.shape, chosen.values), call.attribute<std::int64_t>("axis", 0)))};
}

Tensor<float> numbersUpTo(std::size_t count) {
  auto numbers = Tensor<float>::uninitialized({count});
  std::iota(numbers.exclusiveData(), numbers.exclusiveData() + count, 0.0F);
  return numbers;
}

/// The numbers 0, 1, ... below `count`. Many are made in a pass, of two short rows of digits, since a small
/// file may ask for a large tensor.
TensorLayer counted(std::size_t count) {
  constexpr std::size_t digits = 4'096;
  if (count <= digits) return numbersUpTo(count);
  const std::size_t rows = (count + digits - 1) / digits;
  const TensorLayer high = reshape(TensorLayer(numbersUpTo(rows)), {rows, 1}) * static_cast<float>(digits);
  const TensorLayer all = reshape(high + numbersUpTo(digits), {rows * digits});
  return slice(all, {Slice{0, static_cast<std::int64_t>(count)}});
}

/// Numbers along an axis, compared with the indices, in a pass.
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
  const auto here = equal(TensorLayer(places), reshape(counted(along.front()), Shape(along)));
  return {TensorLayer(where(here, values.data()[1], values.data()[0]))};
}

}  // namespace

void addLayouts(Handlers& handlers) {
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
