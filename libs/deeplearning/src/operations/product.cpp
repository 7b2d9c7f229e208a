#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "tapestry/deeplearning/detail/einsum_labels.hpp"
#include "tapestry/deeplearning/detail/matmul_derivative.hpp"
#include "tapestry/deeplearning/operations/product/einsum.hpp"
#include "tapestry/tensor/kernels/product_cost.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

namespace {

bool isLetter(char label) noexcept {
  return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
}

/// Throws an error that describes the mistake in some subscripts.
class Faults {
 public:
  explicit Faults(std::string_view subscripts) : subscripts_(subscripts) {}

  [[noreturn]] void raise(const std::string& problem, const std::string& expected) const {
    throw std::invalid_argument("tapestry::einsum: " + problem + ", got \"" + std::string(subscripts_) +
                                "\", expected " + expected);
  }

  void requireLabels(std::string_view labels, const std::string& where) const {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::string label = std::string("'") + labels[i] + "'";
      if (!isLetter(labels[i])) raise(label + " is no label", "letters, one ',' and at most one '->'");
      if (labels.find(labels[i], i + 1) != std::string_view::npos)
        raise("label " + label + " is twice in " + where, "each label at most once there");
    }
  }

 private:
  std::string_view subscripts_;
};

/// The labels that occur once, in alphabetical order.
std::string implicitResult(const std::string& x, const std::string& y) {
  std::string result;
  for (const char label : x + y)
    if (std::ranges::count(x + y, label) == 1) result += label;
  std::ranges::sort(result);
  return result;
}

/// The extent of each label.
class Extents {
 public:
  Extents(std::string_view name, const EinsumLabels& labels, const Shape& x, const Shape& y) {
    add(name, labels.x, x);
    add(name, labels.y, y);
    for (const char label : labels.x)
      if (const auto at = labels.y.find(label); at != std::string::npos && y[at] != x[labels.x.find(label)])
        throw ShapeError(
            name, std::string("the extents of label '") + label + "' differ",
            toString(x) + " for \"" + labels.x + "\" and " + toString(y) + " for \"" + labels.y + "\"",
            "one extent for each label");
  }

  std::size_t operator[](char label) const noexcept { return extents_[static_cast<unsigned char>(label)]; }

 private:
  void add(std::string_view name, const std::string& labels, const Shape& shape) {
    if (labels.size() != shape.rank())
      throw ShapeError(name, "the labels do not fit the shape", toString(shape) + " for \"" + labels + "\"",
                       "an axis for each label");
    for (std::size_t i = 0; i < labels.size(); ++i)
      extents_[static_cast<unsigned char>(labels[i])] = shape[i];
  }

  std::array<std::size_t, 128> extents_{};
};

}  // namespace

EinsumLabels EinsumLabels::parse(std::string_view subscripts) {
  const Faults faults(subscripts);
  std::string text(subscripts);
  std::erase(text, ' ');
  const auto arrow = text.find("->");
  const std::string operands = text.substr(0, arrow);
  const auto comma = operands.find(',');
  if (comma == std::string::npos || operands.find(',', comma + 1) != std::string::npos)
    faults.raise("not the labels of two operands", "letters, one ',' and at most one '->'");
  EinsumLabels labels{operands.substr(0, comma), operands.substr(comma + 1), {}};
  faults.requireLabels(labels.x, "the first operand");
  faults.requireLabels(labels.y, "the second operand");
  labels.z = arrow == std::string::npos ? implicitResult(labels.x, labels.y) : text.substr(arrow + 2);
  faults.requireLabels(labels.z, "the result");
  for (const char label : labels.z)
    if ((labels.x + labels.y).find(label) == std::string::npos)
      faults.raise(std::string("label '") + label + "' of the result is in no operand", "labels of operands");
  return labels;
}

Shape EinsumLabels::of(std::string_view name, const Shape& shapeX, const Shape& shapeY) const {
  const Extents extents(name, *this, shapeX, shapeY);
  std::vector<std::size_t> result;
  for (const char label : z) result.push_back(extents[label]);
  return Shape(std::span<const std::size_t>(result));
}

float EinsumLabels::cost(const Shape* shapeX, const Shape* shapeY) const noexcept {
  if (!shapeX || !shapeY) return 300;
  auto products = static_cast<float>(shapeX->size());
  for (std::size_t i = 0; i < y.size(); ++i)
    if (x.find(y[i]) == std::string::npos) products *= static_cast<float>((*shapeY)[i]);
  return 300 + kernels::ProductCost::ns * 3 * products;
}

template <class T>
Tensor<T> einsum(const Tensor<T>& x, const Tensor<T>& y, const EinsumLabels& labels) {
  return einsumOf(x, y, labels);
}

template <class T>
TensorDelta<T> einsumDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const EinsumLabels& labels) {
  return einsumDerivative<Tensor<T>>({delta, labels.z}, {x, labels.x}, {y, labels.y});
}

template <class T>
TensorDelta<T> einsumDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const EinsumLabels& labels) {
  return einsumDerivative<Tensor<T>>({delta, labels.z}, {y, labels.y}, {x, labels.x});
}

#define TAPESTRY_INSTANTIATE(T)                                                                       \
  template Tensor<T> einsum(const Tensor<T>&, const Tensor<T>&, const EinsumLabels&);                 \
  template TensorDelta<T> einsumDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,  \
                                               const EinsumLabels&);                                  \
  template TensorDelta<T> einsumDerivativeRight(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                const EinsumLabels&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

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
  template DeltaOf<Tensor<T>> matmulDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                   const MatmulShapes&);                                 \
  template DeltaOf<Tensor<T>> matmulDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&,       \
                                                    const MatmulShapes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
