// Defines tanh, the elementwise hyperbolic tangent.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = tanh x; dy/dx = 1 - y^2.
inline constexpr auto tanh = unaryOperation<"tanh", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::tanh(x); },
    [](auto delta, const auto& y) { return kernels::tanhDerivative(std::move(delta), y); });

}  // namespace operations

auto tanh(const Numeric auto& x) { return operations::tanh(x); }

void tanh(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
