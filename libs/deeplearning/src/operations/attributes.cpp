#include <cstdint>
#include <vector>

#include <tapestry/deeplearning/detail/einsum_labels.hpp>
#include <tapestry/deeplearning/detail/shape_rules.hpp>
#include <tapestry/deeplearning/operations/convolution/conv2d.hpp>
#include <tapestry/deeplearning/operations/layout/pad.hpp>
#include <tapestry/deeplearning/operations/layout/slice.hpp>
#include <tapestry/deeplearning/operations/product/matmul.hpp>

// The attributes that operations state for graphs, and the multiplications of their forward.

namespace tapestry::detail {

namespace {

std::vector<std::int64_t> pairOf(const HeightWidth& both) {
  return {static_cast<std::int64_t>(both.height), static_cast<std::int64_t>(both.width)};
}

}  // namespace

extend::Attributes ReducedShapes::attributes() const {
  return {{"axes", extend::attributeOf(axes)}, {"keepDims", keepDims}};
}

extend::Attributes PooledShapes::attributes() const {
  const HeightWidth stride(pooling.stride.height == 0 ? pooling.window.height : pooling.stride.height,
                           pooling.stride.width == 0 ? pooling.window.width : pooling.stride.width);
  return {
      {"window", pairOf(pooling.window)}, {"stride", pairOf(stride)}, {"padding", pairOf(pooling.padding)}};
}

extend::Attributes Conv2dShapes::attributes() const {
  return {{"stride", pairOf(convolution.stride)},
          {"padding", pairOf(convolution.padding)},
          {"dilation", pairOf(convolution.dilation)},
          {"groups", convolution.groups}};
}

std::uint64_t Conv2dShapes::multiplications(const Shape& x, const Shape& w) const {
  return convolution.shapeOf("conv2d", x, w).size() * w[1] * w[2] * w[3];
}

extend::Attributes MatmulShapes::attributes() const {
  return {{"transposeX", transposeX == Transpose::yes}, {"transposeY", transposeY == Transpose::yes}};
}

std::uint64_t MatmulShapes::multiplications(const Shape& x, const Shape& y) const {
  const bool firstIsDepth = x.rank() > 1 && transposeX == Transpose::yes;
  const std::size_t depth = x.rank() == 0 ? 1 : x[x.rank() - (firstIsDepth ? 2 : 1)];
  return kernels::matmulShape(x, transposeX, y, transposeY).size() * depth;
}

std::uint64_t EinsumLabels::multiplications(const Shape& shapeX, const Shape& shapeY) const {
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < x.size(); ++i) product *= shapeX[i];
  for (std::size_t i = 0; i < y.size(); ++i)
    if (x.find(y[i]) == std::string::npos) product *= shapeY[i];
  return product;
}

extend::Attributes PadShapes::attributes() const {
  std::vector<std::int64_t> before, after;
  for (const auto& [first, last] : padding) {
    before.push_back(static_cast<std::int64_t>(first));
    after.push_back(static_cast<std::int64_t>(last));
  }
  return {{"before", before}, {"after", after}, {"value", value}};
}

extend::Attributes SliceShapes::attributes() const {
  std::vector<std::int64_t> starts, stops, steps;
  for (const Slice& slice : slices) {
    starts.push_back(slice.start);
    stops.push_back(slice.stop);
    steps.push_back(slice.step);
  }
  return {{"starts", starts}, {"stops", stops}, {"steps", steps}};
}

}  // namespace tapestry::detail
