// Defines ReducedShapes, the rule for the shapes of reductions, and spreadReduced, which spreads a delta
// back.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
