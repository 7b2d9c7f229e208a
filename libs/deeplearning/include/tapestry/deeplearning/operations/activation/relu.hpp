// Defines relu, the elementwise rectifier.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = max(x, 0); dy/dx = 1 where y > 0, else 0, also at 0.
inline constexpr auto relu = unaryOperation<"relu", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::relu(x); },
    [](auto delta, const auto& y) { return kernels::reluDerivative(std::move(delta), y); });

}  // namespace operations

auto relu(const Numeric auto& x) { return operations::relu(x); }

void relu(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
