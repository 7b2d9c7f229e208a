#include <tapestry/compute/kernels/device_product.hpp>

#include <array>
#include <span>
#include <vector>

#include <tapestry/compute/kernels/device_reduction.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>

#include "build.hpp"
#include "kernel/store.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using kernels::Transpose;
using Kind = detail::DeviceExpression::Kind;

/// An operand of a product: stored matrices, one or a batch of them.
struct Matrices {
  detail::BufferRef buffer;
  extend::DeviceProduct::Matrix matrix;
  std::size_t rows = 1, columns = 1;  ///< after the transposition
};

/// The last two axes, where a vector has one of extent 1 in front, or behind if it is a right operand.
Matrices matricesOf(const detail::ExpressionRef& x, Transpose transpose, bool isLeft) {
  const Shape& shape = x->shape;
  Matrices result;
  std::size_t rows = 1, columns = 1;
  if (shape.rank() == 1) {
    (isLeft ? columns : rows) = shape[0];
  } else {
    rows = shape[shape.rank() - 2];
    columns = shape[shape.rank() - 1];
    result.matrix.transposed = transpose == Transpose::yes;
  }
  result.matrix.rowLength = columns;
  result.rows = result.matrix.transposed ? columns : rows;
  result.columns = result.matrix.transposed ? rows : columns;
  // The transpose of a stored matrix is that matrix, read the other way.
  const bool isTransposedView = x->kind == Kind::view && shape.rank() == 2 && x->map->rank == 2 &&
                                x->map->offset == 0 && x->map->axes[0].stride == 1 &&
                                x->map->axes[1].stride == static_cast<std::int32_t>(rows) &&
                                x->operands[0]->shape.size() == shape.size();
  detail::DeviceExpression& stored = isTransposedView ? *x->operands[0] : *x;
  detail::storeLocked(stored);
  result.buffer = stored.buffer;
  if (isTransposedView) {
    result.matrix.transposed = !result.matrix.transposed;
    result.matrix.rowLength = rows;
  }
  result.matrix.memory = result.buffer->memory();
  return result;
}

/// The leading axes, those of batches.
Shape batchOf(const Shape& shape) {
  return shape.rank() <= 2 ? Shape() : Shape(std::span(shape.begin(), shape.rank() - 2));
}

/// x with the batch axes of the result, unless it is a single matrix, which all products of a batch can
/// share.
detail::ExpressionRef inBatch(const detail::ExpressionRef& x, const Shape& batch) {
  if (x->shape.rank() <= 2 || batchOf(x->shape) == batch) return x;
  std::vector<std::size_t> extents(batch.begin(), batch.end());
  extents.insert(extents.end(), x->shape.end() - 2, x->shape.end());
  return detail::broadcasted(x, Shape(extents));
}

/// Enqueues to = alpha * a·b + beta * to, under the device's lock.
void multiply(detail::DeviceState& device, bool isDouble, double alpha, const Matrices& a, std::size_t batch,
              bool isBatchA, const Matrices& b, bool isBatchB, double beta, const detail::BufferRef& to) {
  extend::DeviceProduct product;
  product.isDouble = isDouble;
  product.m = a.rows;
  product.n = b.columns;
  product.k = a.columns;
  product.batch = batch;
  product.alpha = alpha;
  product.beta = beta;
  product.a = a.matrix;
  product.b = b.matrix;
  if (isBatchA) product.a.batchStride = product.m * product.k;
  if (isBatchB) product.b.batchStride = product.k * product.n;
  product.c = {to->memory(), 0, product.n, product.m * product.n, false};
  std::vector<detail::BufferRef> reads{a.buffer, b.buffer};
  if (beta != 0) reads.push_back(to);
  device.multiply(product, reads, to);
}

Transpose operator!(Transpose transpose) noexcept {
  return transpose == Transpose::yes ? Transpose::no : Transpose::yes;
}

/// A product of stacks of matrices, where a vector is one row on the left, one column on the right, and the
/// delta of the product in that form.
template <class T>
struct Stacks {
  Stacks(const DeviceTensor<T>& delta, const DeviceTensor<T>& x, Transpose ofX, const DeviceTensor<T>& y,
         Transpose ofY)
      : left(x.rank() == 1 ? x.reshape({1, x.size()}) : x),
        right(y.rank() == 1 ? y.reshape({y.size(), 1}) : y),
        transposeLeft(x.rank() == 1 ? Transpose::no : ofX),
        transposeRight(y.rank() == 1 ? Transpose::no : ofY) {
    std::vector<std::size_t> extents(delta.shape().begin(), delta.shape().end());
    if (y.rank() == 1) extents.push_back(1);
    if (x.rank() == 1) extents.insert(extents.end() - 1, 1);
    dz = delta.reshape(Shape(std::span<const std::size_t>(extents)));
  }

  DeviceTensor<T> left, right, dz;
  Transpose transposeLeft, transposeRight;
};

/// All matrices of a stack, one below the other.
template <class T>
DeviceTensor<T> below(const DeviceTensor<T>& stack) {
  const std::size_t columns = stack.shape()[stack.rank() - 1];
  std::size_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < stack.rank(); ++axis) rows *= stack.shape()[axis];
  return stack.reshape({rows, columns});
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceProduct::matmulDerivativeLeft(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                                    Transpose transposeX, const DeviceTensor<T>& y,
                                                    Transpose transposeY) {
  const Stacks<T> stacks(delta, x, transposeX, y, transposeY);
  const DeviceTensor<T> dx = stacks.transposeLeft == Transpose::yes
                                 ? matmul(stacks.right, stacks.transposeRight, stacks.dz, Transpose::yes)
                                 : matmul(stacks.dz, Transpose::no, stacks.right, !stacks.transposeRight);
  return DeviceReduction::sumTo(dx, stacks.left.shape()).reshape(x.shape());
}

template <class T>
DeviceTensor<T> DeviceProduct::matmulDerivativeRight(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                                     Transpose transposeX, const DeviceTensor<T>& y,
                                                     Transpose transposeY) {
  const Stacks<T> stacks(delta, x, transposeX, y, transposeY);
  if (y.rank() == 2 && stacks.transposeLeft == Transpose::no) {  // the sum over the stack as one product
    const DeviceTensor<T> left = below(stacks.left), dz = below(stacks.dz);
    return stacks.transposeRight == Transpose::yes ? matmul(dz, Transpose::yes, left, Transpose::no)
                                                   : matmul(left, Transpose::yes, dz, Transpose::no);
  }
  const DeviceTensor<T> dy = stacks.transposeRight == Transpose::yes
                                 ? matmul(stacks.dz, Transpose::yes, stacks.left, stacks.transposeLeft)
                                 : matmul(stacks.left, !stacks.transposeLeft, stacks.dz, Transpose::no);
  return DeviceReduction::sumTo(dy, stacks.right.shape()).reshape(y.shape());
}

template <class T>
DeviceTensor<T> DeviceProduct::matmul(const DeviceTensor<T>& a, Transpose transposeA,
                                      const DeviceTensor<T>& b, Transpose transposeB) {
  constexpr bool isDouble = std::same_as<T, double>;
  const Shape shape = kernels::matmulShape(a.shape(), transposeA, b.shape(), transposeB);
  detail::requireCountable(shape, "matmul");
  const std::shared_ptr<detail::DeviceState> device =
      detail::requiredDevice("matmul", std::array{a.expression(), b.expression()});
  const Shape batch = tapestry::broadcast(batchOf(a.shape()), batchOf(b.shape()), "matmul");
  const detail::ExpressionRef left = detail::onDevice(inBatch(a.expression(), batch), device);
  const detail::ExpressionRef right = detail::onDevice(inBatch(b.expression(), batch), device);
  const detail::DeviceState::Lock lock(device->mutex());
  const Matrices x = matricesOf(left, transposeA, true), y = matricesOf(right, transposeB, false);
  if (x.columns == 0 || shape.size() == 0) return DeviceTensor<T>::zeros(shape);
  const auto result = std::make_shared<detail::DeviceBuffer>(device, shape.size() * sizeof(T));
  multiply(*device, isDouble, 1, x, batch.size(), left->shape.rank() > 2, y, right->shape.rank() > 2, 0,
           result);
  return DeviceTensor<T>(detail::DeviceExpression::storedIn(isDouble, shape, result, device));
}

template <class T>
DeviceTensor<T> DeviceProduct::addProduct(DeviceTensor<T> c, std::type_identity_t<T> alpha,
                                          const DeviceTensor<T>& a, Transpose transposeA,
                                          const DeviceTensor<T>& b, Transpose transposeB) {
  return DeviceElementwise::add(std::move(c),
                                DeviceElementwise::multiply(matmul(a, transposeA, b, transposeB), alpha));
}

template <class T>
DeviceTensor<T> DeviceProduct::affine(const DeviceTensor<T>& a, const DeviceTensor<T>& b,
                                      const DeviceTensor<T>& c, std::string_view operation) {
  DeviceTensor<T> product = matmul(a, b);
  kernels::requireBroadcast(operation, c.shape(), product.shape());
  return DeviceElementwise::add(std::move(product), c);
}

#define TAPESTRY_INSTANTIATE(T)                                                                             \
  template DeviceTensor<T> DeviceProduct::matmul(const DeviceTensor<T>&, Transpose, const DeviceTensor<T>&, \
                                                 Transpose);                                                \
  template DeviceTensor<T> DeviceProduct::addProduct(DeviceTensor<T>, T, const DeviceTensor<T>&, Transpose, \
                                                     const DeviceTensor<T>&, Transpose);                    \
  template DeviceTensor<T> DeviceProduct::matmulDerivativeLeft(                                             \
      const DeviceTensor<T>&, const DeviceTensor<T>&, Transpose, const DeviceTensor<T>&, Transpose);        \
  template DeviceTensor<T> DeviceProduct::matmulDerivativeRight(                                            \
      const DeviceTensor<T>&, const DeviceTensor<T>&, Transpose, const DeviceTensor<T>&, Transpose);        \
  template DeviceTensor<T> DeviceProduct::affine(const DeviceTensor<T>&, const DeviceTensor<T>&,            \
                                                 const DeviceTensor<T>&, std::string_view);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
