#include <tapestry/compute/kernels/device_product.hpp>

#include <array>
#include <span>
#include <vector>

#include <tapestry/tensor/kernels/broadcast.hpp>

#include "build.hpp"
#include "kernel/store.hpp"
#include "kernels/tensors.hpp"

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

/// Enqueues to = a·b, under the device's lock.
void multiply(detail::DeviceState& device, bool isDouble, const Matrices& a, std::size_t batch, bool isBatchA,
              const Matrices& b, bool isBatchB, const detail::BufferRef& to) {
  extend::DeviceProduct product;
  product.isDouble = isDouble;
  product.m = a.rows;
  product.n = b.columns;
  product.k = a.columns;
  product.batch = batch;
  product.a = a.matrix;
  product.b = b.matrix;
  if (isBatchA) product.a.batchStride = product.m * product.k;
  if (isBatchB) product.b.batchStride = product.k * product.n;
  product.c = {to->memory(), 0, product.n, product.m * product.n, false};
  device.multiply(product, {a.buffer, b.buffer}, to);
}

}  // namespace

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
  if (x.columns == 0 || shape.size() == 0) return detail::constantTensor<T>(shape, 0, device);
  const auto result = std::make_shared<detail::DeviceBuffer>(device, shape.size() * sizeof(T));
  multiply(*device, isDouble, x, batch.size(), left->shape.rank() > 2, y, right->shape.rank() > 2, result);
  return DeviceTensor<T>(detail::DeviceExpression::storedIn(isDouble, shape, result, device));
}

template <class T>
DeviceTensor<T> DeviceProduct::affine(const DeviceTensor<T>& a, const DeviceTensor<T>& b,
                                      const DeviceTensor<T>& c, std::string_view operation) {
  DeviceTensor<T> product = matmul(a, Transpose::no, b, Transpose::no);
  kernels::requireBroadcast(operation, c.shape(), product.shape());
  return DeviceElementwise::add(std::move(product), c);
}

#define TAPESTRY_INSTANTIATE(T)                                                                             \
  template DeviceTensor<T> DeviceProduct::matmul(const DeviceTensor<T>&, Transpose, const DeviceTensor<T>&, \
                                                 Transpose);                                                \
  template DeviceTensor<T> DeviceProduct::affine(const DeviceTensor<T>&, const DeviceTensor<T>&,            \
                                                 const DeviceTensor<T>&, std::string_view);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
