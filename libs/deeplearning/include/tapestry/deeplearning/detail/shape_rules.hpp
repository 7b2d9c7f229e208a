// Defines the rules for shapes of reductions, of poolings, of operations along an axis and of elementwise
// operations with a number, and spreadReduced, which spreads a delta back.
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/pooling.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct ReducedShapes {
  Axes axes;
  bool keepDims;
  Shape of(std::string_view name, const Shape& from) const {
    return reducedShape(from, axes.resolve(from, name), keepDims);
  }
  extend::Attributes attributes() const;
};

/// Returns the tensor with extent 1 along the reduced axes.
template <class X>
  requires isTensor<X>
X withReducedAxes(const X& reduced, const Shape& from, const Axes& axes, std::string_view name) {
  return reduced.reshape(reducedShape(from, axes.resolve(from, name), true));
}

/// Returns the delta repeated along the reduced axes.
template <class X>
  requires isTensor<X>
X spreadReduced(const X& delta, const Shape& from, const Axes& axes, std::string_view name) {
  return kernels::broadcastTo(withReducedAxes(delta, from, axes, name), from);
}

/// The rule for shapes of an operation along one axis that keeps the shape.
struct AlongAxis {
  std::ptrdiff_t axis;
  Shape of(std::string_view name, const Shape& from) const {
    static_cast<void>(Axes({axis}).resolve(from, name));
    return from;
  }
  extend::Attributes attributes() const { return {{"axis", std::int64_t{axis}}}; }
};

struct PooledShapes {
  kernels::Pooling pooling;
  Shape of(std::string_view name, const Shape& x) const { return pooling.shapeOf(name, x); }
  extend::Attributes attributes() const;
};

/// The number, under this name, is an attribute of the operation.
struct WithNumber : Elementwise {
  const char* name;
  double number;
  extend::Attributes attributes() const { return {{name, number}}; }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
