// Defines layerNorm, which gives elements along axes the mean 0 and the variance 1, then a learnt scale and
// shift.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/tensor/kernels/standardize.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct StandardizedShapes {
  kernels::Standardization standardization;
  Shape of(std::string_view name, const Shape& from) const {
    static_cast<void>(standardization.axes.resolve(from, name));
    return from;
  }
  extend::Attributes attributes() const {
    return {{"epsilon", standardization.epsilon}, {"axes", extend::attributeOf(standardization.axes)}};
  }
};

}  // namespace detail

/// y = (x - mean) / sqrt(variance + epsilon), with mean and variance along the axes, by default the last;
/// dx = (delta - mean(delta) - y * mean(delta * y)) / sqrt(variance + epsilon). ShapeError for an axis that x
/// lacks, std::invalid_argument for a negative epsilon. Ba, Kiros and Hinton, "Layer Normalization" (2016).
auto layerNorm(const NumericTensor auto& x, const kernels::Standardization& standardization = {}) {
  standardization.requireValid("layerNorm");
  return unaryOperation<"layerNorm", Keep::operands>(
      [=](const auto& value) { return kernels::standardize(value, standardization); },
      [=](const auto& delta, const auto& value) {
        return kernels::standardizeDerivative(delta, value, standardization);
      },
      detail::StandardizedShapes{standardization})(x);
}

/// The same, times the gain, plus the bias, which broadcast: they have the extents of those axes if these are
/// the last.
template <class A, class G, class B>
  requires Meeting<A, G> && Meeting<A, B> && detail::isTensor<DataOf<A>>
auto layerNorm(const A& x, const G& gain, const B& bias,
               const kernels::Standardization& standardization = {}) {
  return layerNorm(x, standardization) * gain + bias;
}

void layerNorm(...) = delete;  // expected a Differentiable tensor, maybe gain and bias of its element type

}  // namespace tapestry
#pragma GCC visibility pop
