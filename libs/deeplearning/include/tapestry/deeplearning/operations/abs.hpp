// Defines abs, the elementwise absolute value.
#pragma once

#include "tapestry/deeplearning/detail/expects.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

namespace tapestry {

namespace operations {

/// y = |x|; dy/dx = sign(x), which is 0 at 0.
inline constexpr auto abs = unaryOperation<"abs", Keep::operands>(
    [](const auto& x) { return kernels::abs(x); },
    [](auto delta, const auto& x) { return kernels::absDerivative(std::move(delta), x); });

}  // namespace operations

template <Numeric A>
auto abs(const A& x) {
  return operations::abs(x);
}

template <class = void>
detail::Misfit abs(detail::ExpectsNumber<"abs">);

}  // namespace tapestry
