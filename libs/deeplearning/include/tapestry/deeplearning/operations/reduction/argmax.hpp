// Defines argmax, the indices of the largest elements along an axis.
#pragma once

#include <cstddef>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the index along the axis of the first of the largest elements, or of the first NaN. The result
/// lacks the axis, or has extent 1 there with `keepDims`; a negative axis counts from the last. Takes only
/// data, since no delta could flow back; for a layer, take its value, as in predict(layer).map(...). Throws
/// ShapeError for an axis that is out of range or has extent 0.
template <class T>
Indices argmax(const Tensor<T>& x, std::ptrdiff_t axis, bool keepDims = false);

extern template Indices argmax(const Tensor<float>&, std::ptrdiff_t, bool);
extern template Indices argmax(const Tensor<double>&, std::ptrdiff_t, bool);

/// The same of a tensor of another library: a program that yields the Indices once they are computed there.
template <OwnKernels X>
auto argmax(const X& x, std::ptrdiff_t axis, bool keepDims = false)
    -> decltype(X::Kernels::argmax(x, axis, keepDims)) {
  return X::Kernels::argmax(x, axis, keepDims);
}

void argmax(...) = delete;  // expected a Tensor, data alone, such as predict(layer).map(...) gives; an axis

}  // namespace tapestry
#pragma GCC visibility pop
