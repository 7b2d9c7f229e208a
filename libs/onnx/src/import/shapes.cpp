#include <algorithm>
#include <bitset>

#include <tapestry/deeplearning/operations/layout/reshape.hpp>
#include <tapestry/tensor/position.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

using List = std::vector<std::int64_t>;

/// The result shape of ONNX's Reshape: 0 keeps an extent, -1 is the remaining extent.
Shape targetOf(const Place& place, List extents, bool zeroIsKept, const Shape& from) {
  std::int64_t known = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == 0 && zeroIsKept) {
      if (i >= from.rank())
        place.fail("no axis to keep, got 0 as extent " + std::to_string(i) + " for " + toString(from) +
                   ", expected a number");
      extents[i] = static_cast<std::int64_t>(from[i]);
    }
    if (extents[i] >= 0 && __builtin_mul_overflow(known, extents[i], &known))
      place.fail("too large a shape, got extents beyond 2^63, expected " + std::to_string(from.size()) +
                 " elements");
  }
  if (const auto left = std::ranges::find(extents, -1); left != extents.end())
    *left = known == 0 ? 0 : static_cast<std::int64_t>(from.size()) / known;
  return shapeFrom(place, extents);
}

std::vector<Value> reshaped(const Call& call) {
  const List& extents = call.integers(1).values;
  const bool zeroIsKept = call.attribute<std::int64_t>("allowzero", 0) == 0;
  if (std::ranges::all_of(extents, [](std::int64_t extent) { return extent > 0; }))
    return {TensorLayer(reshape(call.layer(0), shapeFrom(call.place(), extents)))};
  return {withShape(call.layer(0),
                    [=, place = call.place()](const TensorLayer& x, const Shape& from) -> TensorLayer {
                      return reshape(x, targetOf(place, extents, zeroIsKept, from));
                    })};
}

std::vector<Value> flattened(const Call& call) {
  const auto axis = call.attribute<std::int64_t>("axis", 1);
  return {withShape(call.layer(0),
                    [axis, place = call.place()](const TensorLayer& x, const Shape& from) -> TensorLayer {
                      const auto rank = static_cast<std::int64_t>(from.rank());
                      const auto cut = axis < 0 ? axis + rank : axis;
                      if (cut < 0 || cut > rank)
                        place.fail("axis out of range, got " + std::to_string(axis) + ", expected at most " +
                                   std::to_string(rank));
                      std::size_t rows = 1;
                      std::size_t columns = 1;
                      for (std::size_t i = 0; i < from.rank(); ++i)
                        (static_cast<std::int64_t>(i) < cut ? rows : columns) *= from[i];
                      return reshape(x, Shape{rows, columns});
                    })};
}

/// The chosen axes of a tensor of this rank.
std::bitset<64> chosenAxes(const Place& place, const List& axes, std::size_t rank) {
  std::bitset<64> chosen;
  for (const auto axis : axes) {
    const auto at = positionOf(axis, rank);
    if (!at || rank > 64)
      place.fail("axis out of range, got " + std::to_string(axis) + ", expected one of " +
                 std::to_string(rank) + " axes");
    chosen.set(*at);
  }
  return chosen;
}

std::vector<Value> squeezed(const Call& call) {
  const auto axes = call.integersOf("axes", 1);
  return {withShape(call.layer(0),
                    [axes, place = call.place()](const TensorLayer& x, const Shape& from) -> TensorLayer {
                      const auto chosen = chosenAxes(place, axes.value_or(List{}), from.rank());
                      std::vector<std::size_t> left;
                      for (std::size_t i = 0; i < from.rank(); ++i)
                        if (axes ? !chosen[i] : from[i] != 1) left.push_back(from[i]);
                      return reshape(x, Shape(left));
                    })};
}

std::vector<Value> unsqueezed(const Call& call) {
  const List axes = call.integersOf("axes", 1).value_or(List{});
  return {withShape(call.layer(0),
                    [axes, place = call.place()](const TensorLayer& x, const Shape& from) -> TensorLayer {
                      const std::size_t rank = from.rank() + axes.size();
                      if (rank > Shape::maxRank)
                        place.fail("too many axes, got " + std::to_string(rank) + ", expected at most " +
                                   std::to_string(Shape::maxRank));
                      const auto chosen = chosenAxes(place, axes, rank);
                      if (chosen.count() != axes.size())
                        place.fail("an axis occurs twice, got " + std::to_string(axes.size()) + " axes for " +
                                   std::to_string(chosen.count()) + " places, expected each axis once");
                      std::vector<std::size_t> extents;
                      for (std::size_t i = 0, next = 0; i < rank; ++i)
                        extents.push_back(chosen[i] ? 1 : from[next++]);
                      return reshape(x, Shape(extents));
                    })};
}

std::vector<Value> same(const Call& call) { return {call.any(0)}; }

std::vector<Value> constant(const Call& call) {
  if (call.hasAttribute("value"))
    return {std::visit([](const auto& array) { return Value(array); }, call.attribute<Array>("value"))};
  if (call.hasAttribute("value_float")) return {Tensor<float>::scalar(call.attribute<float>("value_float"))};
  if (call.hasAttribute("value_int")) return {Integers{{}, {call.attribute<std::int64_t>("value_int")}}};
  if (call.hasAttribute("value_floats")) {
    const auto values = call.attribute<std::vector<float>>("value_floats");
    return {Tensor<float>({values.size()}, values)};
  }
  const List values = call.attribute<List>("value_ints");
  return {Integers{{values.size()}, values}};
}

/// Evaluates one of the branches, in the pass that knows the condition.
std::vector<Value> branched(const Call& call) {
  const TensorLayer condition = call.layer(0);
  const auto then = call.branch("then_branch"), otherwise = call.branch("else_branch");
  std::vector<Value> results;
  for (std::size_t i = 0; i < then.size(); ++i) {
    const TensorLayer made(forward(condition).flatMap([yes = then[i], no = otherwise[i]](const auto& tape) {
      return forward(tape.data.item() != 0 ? yes : no);
    }));
    if (call.choices()) call.choices()->emplace_back(condition, then[i], otherwise[i], made);
    results.emplace_back(made);
  }
  return results;
}

}  // namespace

Shape shapeFrom(const Place& place, const std::vector<std::int64_t>& extents) {
  if (extents.size() > Shape::maxRank)
    place.fail("too many axes, got " + std::to_string(extents.size()) + ", expected at most " +
               std::to_string(Shape::maxRank));
  std::vector<std::size_t> shape;
  for (const auto extent : extents) {
    if (extent < 0) place.fail("no extent, got " + std::to_string(extent) + ", expected at least 0");
    shape.push_back(static_cast<std::size_t>(extent));
  }
  return Shape(shape);
}

void addShapes(Handlers& handlers) {
  handlers.insert({{"Reshape", reshaped},
                   {"Flatten", flattened},
                   {"Squeeze", squeezed},
                   {"Unsqueeze", unsqueezed},
                   {"Identity", same},
                   {"Constant", constant},
                   {"If", branched}});
}

}  // namespace tapestry::onnx
