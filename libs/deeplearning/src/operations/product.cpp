#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tapestry/deeplearning/detail/einsum_labels.hpp"
#include "tapestry/deeplearning/detail/matmul_derivative.hpp"
#include "tapestry/tensor/kernels/product_cost.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

namespace {

bool isLetter(char label) noexcept {
  return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
}

[[noreturn]] void refuse(std::string_view subscripts, const std::string& problem,
                         const std::string& expected) {
  throw std::invalid_argument("tapestry::einsum: " + problem + ", got \"" + std::string(subscripts) +
                              "\", expected " + expected);
}

void requireLabels(std::string_view subscripts, std::string_view labels, const std::string& where) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string label = std::string("'") + labels[i] + "'";
    if (!isLetter(labels[i]))
      refuse(subscripts, label + " is no label", "letters, one ',' and at most one '->'");
    if (labels.find(labels[i], i + 1) != std::string_view::npos)
      refuse(subscripts, "label " + label + " is twice in " + where, "each label at most once there");
  }
}

/// The labels that occur once, in alphabetical order.
std::string implicitResult(const std::string& x, const std::string& y) {
  std::string result;
  for (const char label : x + y)
    if (std::ranges::count(x + y, label) == 1) result += label;
  std::ranges::sort(result);
  return result;
}

void requireAxes(std::string_view name, const std::string& labels, const Shape& shape) {
  if (labels.size() != shape.rank())
    throw ShapeError(name, "the labels do not fit the shape", toString(shape) + " for \"" + labels + "\"",
                     "an axis for each label");
}

}  // namespace

EinsumLabels EinsumLabels::parse(std::string_view subscripts) {
  std::string text(subscripts);
  std::erase(text, ' ');
  const auto arrow = text.find("->");
  const std::string operands = text.substr(0, arrow);
  const auto comma = operands.find(',');
  if (comma == std::string::npos || operands.find(',', comma + 1) != std::string::npos)
    refuse(subscripts, "not the labels of two operands", "letters, one ',' and at most one '->'");
  EinsumLabels labels{operands.substr(0, comma), operands.substr(comma + 1), {}};
  requireLabels(subscripts, labels.x, "the first operand");
  requireLabels(subscripts, labels.y, "the second operand");
  labels.z = arrow == std::string::npos ? implicitResult(labels.x, labels.y) : text.substr(arrow + 2);
  requireLabels(subscripts, labels.z, "the result");
  for (const char label : labels.z)
    if ((labels.x + labels.y).find(label) == std::string::npos)
      refuse(subscripts, std::string("label '") + label + "' of the result is in no operand",
             "labels of operands");
  return labels;
}

Shape EinsumLabels::of(std::string_view name, const Shape& shapeX, const Shape& shapeY) const {
  requireAxes(name, x, shapeX);
  requireAxes(name, y, shapeY);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const auto at = y.find(x[i]); at != std::string::npos && shapeY[at] != shapeX[i])
      throw ShapeError(name, std::string("the extents of label '") + x[i] + "' differ",
                       toString(shapeX) + " for \"" + x + "\" and " + toString(shapeY) + " for \"" + y + "\"",
                       "one extent for each label");
  std::vector<std::size_t> result;
  for (const char label : z) {
    const auto at = x.find(label);
    result.push_back(at != std::string::npos ? shapeX[at] : shapeY[y.find(label)]);
  }
  return Shape(std::span<const std::size_t>(result));
}

float EinsumLabels::cost(const Shape* shapeX, const Shape* shapeY) const noexcept {
  if (!shapeX || !shapeY) return 300;
  return 300 + kernels::ProductCost::ns * 3 * static_cast<float>(multiplications(*shapeX, *shapeY));
}

float MatmulShapes::cost(const Shape* x, const Shape* y) const noexcept {
  std::size_t rows = 1;
  if (x && x->rank() > 1) {
    const std::size_t inner = (*x)[x->rank() - (transposeX == kernels::Transpose::yes ? 2 : 1)];
    rows = x->size() / std::max<std::size_t>(1, inner);
  }
  if (y) return 300 + kernels::ProductCost::ns * 3 * static_cast<float>(y->size() * rows);
  return 300 + (x ? kernels::ProductCost::ns * static_cast<float>(x->size()) : 0);
}

#define TAPESTRY_INSTANTIATE(T)                                                                          \
  template Tensor<T> einsum(const Tensor<T>&, const Tensor<T>&, const EinsumLabels&);                    \
  template DeltaOf<Tensor<T>> einsumDerivative(const Labelled<Tensor<T>>&, const Labelled<Tensor<T>>&,   \
                                               const Labelled<Tensor<T>>&);                              \
  template DeltaOf<Tensor<T>> matmulDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                   const MatmulShapes&);                                 \
  template DeltaOf<Tensor<T>> matmulDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&,       \
                                                    const MatmulShapes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
