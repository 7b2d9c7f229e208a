#include <limits>

#include <tapestry/deeplearning/operations/arithmetic/divide.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/convolution/avg_pool2d.hpp>
#include <tapestry/deeplearning/operations/convolution/conv2d.hpp>
#include <tapestry/deeplearning/operations/convolution/max_pool2d.hpp>
#include <tapestry/deeplearning/operations/layout/pad.hpp>
#include <tapestry/deeplearning/operations/reduction/max.hpp>
#include <tapestry/deeplearning/operations/reduction/mean.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

/// How a window moves over the last two axes of images.
struct Moves {
  HeightWidth stride = 1;
  HeightWidth dilation = 1;
  HeightWidth before = 0;
  HeightWidth after = 0;

  bool isSymmetric() const { return before == after; }
  bool isPadded() const { return before != HeightWidth(0) || after != HeightWidth(0); }
};

std::size_t sizeIn(const Call& call, const char* name, std::int64_t value, std::int64_t least) {
  if (value < least || value > std::numeric_limits<int>::max())
    call.fail(std::string(name) + " out of range, got " + std::to_string(value) + ", expected at least " +
              std::to_string(least) + " and at most 2147483647");
  return static_cast<std::size_t>(value);
}

/// Two numbers of an attribute, from the given place on.
HeightWidth pairIn(const Call& call, const char* name, const std::vector<std::int64_t>& values,
                   std::size_t count, std::int64_t least, std::size_t from = 0) {
  if (values.size() != count)
    call.fail(std::string(name) + ": not for images, got " + std::to_string(values.size()) +
              " numbers, expected " + std::to_string(count) + " for a height and a width");
  return {sizeIn(call, name, values[from], least), sizeIn(call, name, values[from + 1], least)};
}

Moves movesOf(const Call& call) {
  using List = std::vector<std::int64_t>;
  const auto automatic = call.attribute<std::string>("auto_pad", "NOTSET");
  if (automatic != "NOTSET" && automatic != "VALID")
    call.fail("auto_pad is not known, got " + excerpt(automatic) + ", expected NOTSET with pads, or VALID");
  if (call.attribute<std::int64_t>("ceil_mode", 0) != 0)
    call.fail("ceil_mode is not known, got 1, expected 0: extents are rounded down");
  const List pads = automatic == "VALID" ? List{0, 0, 0, 0} : call.attribute<List>("pads", List{0, 0, 0, 0});
  return {pairIn(call, "strides", call.attribute<List>("strides", List{1, 1}), 2, 1),
          pairIn(call, "dilations", call.attribute<List>("dilations", List{1, 1}), 2, 1),
          pairIn(call, "pads", pads, 4, 0), pairIn(call, "pads", pads, 4, 0, 2)};
}

/// Images with a border of the value, where the two sides differ; the moves then need no padding.
TensorLayer bordered(const TensorLayer& x, Moves& moves, double value) {
  if (moves.isSymmetric()) return x;
  TensorLayer wide = pad(
      x, {{0, 0}, {0, 0}, {moves.before.height, moves.after.height}, {moves.before.width, moves.after.width}},
      value);
  moves.before = moves.after = 0;
  return wide;
}

std::vector<Value> convolution(const Call& call) {
  Moves moves = movesOf(call);
  const TensorLayer weight = call.layer(1);
  if (const Shape* shape = weight.node()->knownShape(); shape && shape->rank() != 4)
    call.fail("no filters for images, got " + toString(*shape) + ", expected [O, C / groups, KH, KW]");
  const TensorLayer x = bordered(call.layer(0), moves, 0);
  const kernels::Convolution how{moves.stride, moves.before, moves.dilation,
                                 sizeIn(call, "group", call.attribute<std::int64_t>("group", 1), 1)};
  if (call.has(2)) return {TensorLayer(conv2d(x, weight, call.layer(2), how))};
  return {TensorLayer(conv2d(x, weight, how))};
}

kernels::Pooling poolingOf(const Call& call, const Moves& moves) {
  using List = std::vector<std::int64_t>;
  if (moves.dilation != HeightWidth(1))
    call.fail("dilations are not known for windows, got " + std::to_string(moves.dilation.height) + " x " +
              std::to_string(moves.dilation.width) + ", expected 1");
  return {pairIn(call, "kernel_shape", call.attribute<List>("kernel_shape"), 2, 1), moves.stride,
          moves.before};
}

std::vector<Value> largest(const Call& call) {
  Moves moves = movesOf(call);
  const TensorLayer x = bordered(call.layer(0), moves, -std::numeric_limits<double>::infinity());
  return {TensorLayer(maxPool2d(x, poolingOf(call, moves)))};
}

/// The part of each window that lies within a plane of the extents, [1, 1, H', W']: that of its rows times
/// that of its columns, so that a small file which asks for large images takes no memory before a pass.
TensorLayer coverage(std::size_t height, std::size_t width, const kernels::Pooling& pooling) {
  const auto& [window, stride, padding] = pooling;
  const TensorLayer column(Tensor<float>::full({1, 1, height, 1}, 1));
  const TensorLayer row(Tensor<float>::full({1, 1, 1, width}, 1));
  return avgPool2d(column, {{window.height, 1}, {stride.height, 1}, {padding.height, 0}}) *
         avgPool2d(row, {{1, window.width}, {1, stride.width}, {0, padding.width}});
}

std::vector<Value> average(const Call& call) {
  Moves moves = movesOf(call);
  const bool padded = moves.isPadded();
  if (padded && !moves.isSymmetric() && call.attribute<std::int64_t>("count_include_pad", 0) == 0)
    call.fail("pads differ, got another border before than after, expected equal ones or count_include_pad");
  const TensorLayer x = bordered(call.layer(0), moves, 0);
  const kernels::Pooling pooling = poolingOf(call, moves);
  if (!padded || call.attribute<std::int64_t>("count_include_pad", 0) != 0)
    return {TensorLayer(avgPool2d(x, pooling))};
  return {withShape(x, [pooling, place = call.place()](const TensorLayer& images, const Shape& shape) {
    if (shape.rank() != 4) place.fail("no images, got " + toString(shape) + ", expected [N, C, H, W]");
    return TensorLayer(avgPool2d(images, pooling) / coverage(shape[2], shape[3], pooling));
  })};
}

/// Over all axes but the first two, which stay with extent 1.
template <class F>
std::vector<Value> overPlanes(const Call& call, F f) {
  return {withShape(call.layer(0), [f](const TensorLayer& x, const Shape& shape) -> TensorLayer {
    std::vector<std::ptrdiff_t> axes;
    for (std::size_t axis = 2; axis < shape.rank(); ++axis) axes.push_back(static_cast<std::ptrdiff_t>(axis));
    return f(x, Axes(axes));
  })};
}

}  // namespace

void addConvolutions(Handlers& handlers) {
  handlers.insert(
      {{"Conv", convolution},
       {"MaxPool", largest},
       {"AveragePool", average},
       {"GlobalAveragePool",
        [](const Call& call) {
          return overPlanes(call, [](const TensorLayer& x, const Axes& axes) { return mean(x, axes, true); });
        }},
       {"GlobalMaxPool", [](const Call& call) {
          return overPlanes(call, [](const TensorLayer& x, const Axes& axes) { return max(x, axes, true); });
        }}});
}

}  // namespace tapestry::onnx
