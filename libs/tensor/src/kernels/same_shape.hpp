// Defines requireSameShape, which refuses operands of different shapes.
#pragma once

#include <string_view>

#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// Throws ShapeError, naming `operation`, unless x and `like` have the same shape.
template <class T>
void requireSameShape(std::string_view operation, const Tensor<T>& x, const Tensor<T>& like) {
  if (x.shape() != like.shape())
    throw ShapeError(operation, "the shapes differ", toString(x.shape()), toString(like.shape()));
}

}  // namespace tapestry::kernels
