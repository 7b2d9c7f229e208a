#include "tapestry/deeplearning/operations/matmul.hpp"

#include <algorithm>
#include <vector>

#include "tapestry/deeplearning/kernels/broadcast.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry::detail {

namespace {

using kernels::Transpose;

/// A vector as a matrix of one row, or of one column.
template <class T>
Tensor<T> asRow(const Tensor<T>& x) {
  return x.rank() == 1 ? x.reshape({1, x.size()}) : x;
}
template <class T>
Tensor<T> asColumn(const Tensor<T>& x) {
  return x.rank() == 1 ? x.reshape({x.size(), 1}) : x;
}

/// The shape that delta has when both operands are taken as matrices, or stacks of them.
Shape deltaShape(const Shape& delta, const Shape& x, const Shape& y) {
  std::vector<std::size_t> extents(delta.begin(), delta.end());
  if (y.rank() == 1) extents.push_back(1);
  if (x.rank() == 1) extents.insert(extents.end() - 1, 1);
  return Shape(std::span<const std::size_t>(extents));
}

}  // namespace

Shape MatmulShapes::of(std::string_view name, const Shape& a, const Shape& b) {
  const auto misfit = [&](std::string_view problem, std::string_view expected) {
    return ShapeError(name, problem, toString(a) + " and " + toString(b), expected);
  };
  if (a.rank() == 0 || b.rank() == 0)
    throw misfit("a scalar is not a matrix", "operands with at least one axis");
  const std::size_t inner = b.rank() == 1 ? b[0] : b[b.rank() - 2];
  if (a[a.rank() - 1] != inner) throw misfit("inner dimensions differ", "[.., K] and [K, ..]");
  const auto stack = [](const Shape& shape) {
    return Shape(std::span(shape.begin(), shape.rank() > 2 ? shape.rank() - 2 : 0));
  };
  Shape leading;
  try {
    leading = broadcast(stack(a), stack(b), name);
  } catch (const ShapeError&) {
    throw misfit("leading axes do not broadcast", "extents that are equal or 1 before the last two axes");
  }
  std::vector<std::size_t> extents(leading.begin(), leading.end());
  if (a.rank() > 1) extents.push_back(a[a.rank() - 2]);
  if (b.rank() > 1) extents.push_back(b[b.rank() - 1]);
  return Shape(std::span<const std::size_t>(extents));
}

float MatmulShapes::cost(const Shape* a, const Shape* b) noexcept {
  constexpr float perMultiplication = 0.1f;
  const std::size_t rows = a && a->rank() > 1 ? a->size() / std::max<std::size_t>(1, (*a)[a->rank() - 1]) : 1;
  if (b) return 300 + perMultiplication * 3 * static_cast<float>(b->size() * rows);
  return 300 + (a ? perMultiplication * static_cast<float>(a->size()) : 0);
}

template <class T>
TensorDelta<T> matmulDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y) {
  const auto dz = delta.reshape(deltaShape(delta.shape(), x.shape(), y.shape()));
  const auto dx = kernels::matmul(dz, Transpose::no, asColumn(y), Transpose::yes);
  return kernels::sumTo(dx, asRow(x).shape()).reshape(x.shape());
}

template <class T>
TensorDelta<T> matmulDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y) {
  auto dz = delta.reshape(deltaShape(delta.shape(), x.shape(), y.shape()));
  if (x.rank() <= 2 && y.rank() == 2) return TensorDelta<T>::product(asRow(x), std::move(dz));
  const auto dy = kernels::matmul(asRow(x), Transpose::yes, dz, Transpose::no);
  return kernels::sumTo(dy, asColumn(y).shape()).reshape(y.shape());
}

template TensorDelta<float> matmulDerivativeLeft(const Tensor<float>&, const Tensor<float>&,
                                                 const Tensor<float>&);
template TensorDelta<double> matmulDerivativeLeft(const Tensor<double>&, const Tensor<double>&,
                                                  const Tensor<double>&);
template TensorDelta<float> matmulDerivativeRight(const Tensor<float>&, const Tensor<float>&,
                                                  const Tensor<float>&);
template TensorDelta<double> matmulDerivativeRight(const Tensor<double>&, const Tensor<double>&,
                                                   const Tensor<double>&);

}  // namespace tapestry::detail
