// Defines broadcastTo, which repeats a value along axes, and its transpose sumTo, which sums over these axes.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Throws ShapeError, naming `operation`, unless `from` broadcasts to `to`.
void requireBroadcast(std::string_view operation, const Shape& from, const Shape& to);

/// Returns x repeated along new and stretched axes; returns x itself if it has that shape. Throws ShapeError
/// if x does not broadcast to `shape`.
template <class T>
Tensor<T> broadcastTo(const Tensor<T>& x, const Shape& shape);

/// Undoes a broadcast from `shape`: returns the sum of x over the axes that broadcasting adds or stretches, x
/// itself if it has that shape. Throws ShapeError if `shape` does not broadcast to the shape of x.
template <class T>
Tensor<T> sumTo(const Tensor<T>& x, const Shape& shape);

TAPESTRY_OWN_KERNEL(broadcastTo, (const X& x, const Shape& shape), (x, shape))
TAPESTRY_OWN_KERNEL(sumTo, (const X& x, const Shape& shape), (x, shape))

/// Returns the shape of an operand; a scalar has the shape [].
template <class T>
const Shape& shapeOf(const Tensor<T>& x) noexcept {
  return x.shape();
}

template <OwnKernels X>
const Shape& shapeOf(const X& x) noexcept {
  return x.shape();
}

template <std::floating_point T>
Shape shapeOf(T) noexcept {
  return {};
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
