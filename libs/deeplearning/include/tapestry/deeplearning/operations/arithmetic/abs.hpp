// Defines abs, the elementwise absolute value.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = |x|; dy/dx = sign(x), which is 0 at 0.
inline constexpr auto abs = unaryOperation<"abs", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::abs(x); },
    [](auto delta, const auto& x) { return kernels::absDerivative(std::move(delta), x); });

}  // namespace operations

auto abs(const Numeric auto& x) { return operations::abs(x); }

void abs(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
