#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

#include <tapestry/tensor/slice.hpp>

#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

std::string reshaped(const Operation& operation, const std::string& x, const Shape& from, const Shape& to) {
  if (from == to) return x;
  return operation.add("Reshape", {x, operation.emitter.integers(operation.emitter.reshaped(from, to))});
}

std::string reshape(const Operation& operation) {
  const Shape& to = operation.shape();
  if (const auto& from = operation.details.operands.at(0))
    return reshaped(operation, operation.inputs[0], *from, to);
  if (to.size() == 0)
    operation.fail("has a shape of no elements, got " + toString(to) + ", expected elements");
  return operation.add("Reshape",
                       {operation.inputs[0], operation.emitter.integers(List(to.begin(), to.end()))});
}

std::string expandDims(const Operation& operation) {
  const auto axis = operation.axis(operation.setting<std::int64_t>("axis"), operation.operand(0).rank() + 1);
  return operation.add("Unsqueeze", operation.inputs, {{"axes", List{axis}}});
}

std::string permute(const Operation& operation) {
  List order = operation.setting<List>("axes");
  for (auto& axis : order) axis = operation.axis(axis, order.size());
  return operation.add("Transpose", operation.inputs, {{"perm", order}});
}

std::string transpose(const Operation& operation) {
  const std::size_t rank = operation.operand(0).rank();
  return operation.exchanged(operation.inputs[0], rank, rank - 2, rank - 1);
}

std::string concat(const Operation& operation) {
  const auto axis = operation.axis(operation.setting<std::int64_t>("axis"), operation.shape().rank());
  return operation.add("Concat", operation.inputs, {{"axis", axis}});
}

/// The bounds as ONNX has them; only the sliced axes are written.
std::string slice(const Operation& operation) {
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  const auto starts = operation.setting<List>("starts"), stops = operation.setting<List>("stops"),
             steps = operation.setting<List>("steps");
  List from, to, axes, by;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] == Slice::end && stops[i] == Slice::end && steps[i] == 1) continue;
    const bool forwards = steps[i] > 0;
    from.push_back(starts[i] != Slice::end ? starts[i] : forwards ? 0 : greatest);
    to.push_back(stops[i] != Slice::end ? stops[i] : forwards ? greatest : least);
    axes.push_back(static_cast<std::int64_t>(i));
    by.push_back(steps[i]);
  }
  if (axes.empty()) return operation.add("Identity", operation.inputs);
  Emitter& emitter = operation.emitter;
  std::vector<std::string> inputs{operation.inputs[0], emitter.integers(from), emitter.integers(to),
                                  emitter.integers(axes)};
  if (std::ranges::any_of(by, [](std::int64_t step) { return step != 1; }))
    inputs.push_back(emitter.integers(by));
  return operation.add("Slice", std::move(inputs));
}

std::string element(const Operation& operation) {
  std::string x = operation.inputs[0];
  for (const auto index : operation.setting<List>("indices"))
    x = operation.add("Gather", {x, operation.emitter.integers(Indices(Shape{}, {index}))},
                      {{"axis", std::int64_t{0}}});
  return x;
}

std::string gather(const Operation& operation) {
  const auto indices = operation.emitter.integers(operation.setting<Indices>("indices"));
  const auto axis = operation.has("axis") ? operation.setting<std::int64_t>("axis") : 0;
  return operation.add("Gather", {operation.inputs[0], indices},
                       {{"axis", operation.axis(axis, operation.operand(0).rank())}});
}

std::string pad(const Operation& operation) {
  auto before = operation.setting<List>("before"), after = operation.setting<List>("after");
  before.resize(operation.operand(0).rank());
  after.resize(before.size());
  before.insert(before.end(), after.begin(), after.end());
  return operation.add("Pad", {operation.inputs[0], operation.emitter.integers(before),
                               operation.emitter.constant(operation.setting<double>("value"))});
}

std::string broadcastTo(const Operation& operation) {
  List extents = operation.setting<List>("shape");
  if (operation.emitter.anyBatch() && !extents.empty() && operation.operand(0).rank() == extents.size() &&
      static_cast<std::int64_t>(operation.operand(0)[0]) == extents[0])
    extents[0] = 1;
  return operation.add("Expand", {operation.inputs[0], operation.emitter.integers(extents)});
}

/// Padded on one side and sliced from the other, which needs no extent of an axis of any size.
std::string translate(const Operation& operation) {
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max(), far = std::int64_t{1} << 31;
  Emitter& emitter = operation.emitter;
  const auto offsets = operation.setting<List>("offsets");
  const Shape& shape = operation.operand(0);
  List pads(2 * shape.rank()), from, to, axes;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto most = i == 0 && emitter.anyBatch() ? far : static_cast<std::int64_t>(shape[i]);
    const auto offset = std::clamp(offsets[i], -most, most);
    if (offset == 0) continue;
    pads[offset > 0 ? i : shape.rank() + i] = std::abs(offset);
    from.push_back(offset > 0 ? 0 : -offset);
    to.push_back(offset > 0 ? -offset : end);
    axes.push_back(static_cast<std::int64_t>(i));
  }
  if (axes.empty()) return operation.add("Identity", operation.inputs);
  const auto wide =
      operation.add("Pad", {operation.inputs[0], emitter.integers(pads), emitter.constant(0.0)});
  return operation.add("Slice", {wide, emitter.integers(from), emitter.integers(to), emitter.integers(axes)});
}

/// A matrix of ones and zeros, with a row for each place, times [a.., indices, b]: opset 12 adds nothing at
/// indices.
std::string scatter(const Operation& operation) {
  Emitter& emitter = operation.emitter;
  const Shape& to = operation.shape();
  const auto indices = operation.setting<Indices>("indices");
  const auto places = operation.setting<std::int64_t>("extent");
  const auto axis = operation.axis(operation.setting<std::int64_t>("axis"), to.rank());
  std::string ones = operation.add("OneHot",
                                   {emitter.integers(indices), emitter.integers(List{places}),
                                    emitter.constant(Tensor<float>({2}, {0, 1}))},
                                   {{"axis", std::int64_t{0}}});
  const auto count = emitter.anyBatch() ? -1 : static_cast<std::int64_t>(indices.values().size());
  if (indices.shape().rank() != 1)
    ones = operation.add("Reshape", {ones, emitter.integers(List{places, count})});
  std::vector<std::size_t> from(to.begin(), to.begin() + axis);
  const std::size_t columns =
      std::accumulate(to.begin() + axis + 1, to.end(), std::size_t{1}, std::multiplies());
  auto after = from;
  from.insert(from.end(), {indices.values().size(), columns});
  after.insert(after.end(), {to[static_cast<std::size_t>(axis)], columns});
  const auto x = reshaped(operation, operation.inputs[0], operation.operand(0), Shape(from));
  return reshaped(operation, operation.add("MatMul", {ones, x}), Shape(after), to);
}

/// [..., T, heads * D] to [..., heads, T, D], or back.
std::string heads(const Operation& operation) {
  const bool splits = operation.part() == "split";
  const Shape& from = operation.operand(0);
  const Shape& to = operation.shape();
  const Shape& apart = splits ? to : from;  // [..., heads, T, D]
  const std::size_t rank = apart.rank();
  std::vector<std::size_t> extents(apart.begin(), apart.end());
  std::swap(extents[rank - 3], extents[rank - 2]);
  const Shape rows(extents);  // [..., T, heads, D]
  if (splits)
    return operation.exchanged(reshaped(operation, operation.inputs[0], from, rows), rank, rank - 3,
                               rank - 2);
  return reshaped(operation, operation.exchanged(operation.inputs[0], rank, rank - 3, rank - 2), rows, to);
}

}  // namespace

void addLayouts(Writers& writers) {
  writers["reshape"] = reshape;
  writers["expandDims"] = expandDims;
  writers["permute"] = permute;
  writers["transpose"] = transpose;
  writers["concat"] = concat;
  writers["slice"] = slice;
  writers["element"] = element;
  writers["gather"] = gather;
  writers["embedding"] = gather;
  writers["pad"] = pad;
  writers["broadcastTo"] = broadcastTo;
  writers["translate"] = translate;
  writers["scatter"] = scatter;
  writers["multiHeadAttention"] = heads;
}

}  // namespace tapestry::onnx::exporting
