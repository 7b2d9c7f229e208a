// Defines sigmoid, the elementwise logistic function.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = 1 / (1 + e^-x); dy/dx = y (1 - y).
inline constexpr auto sigmoid = unaryOperation<"sigmoid", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::sigmoid(x); },
    [](auto delta, const auto& y) { return kernels::sigmoidDerivative(std::move(delta), y); });

}  // namespace operations

auto sigmoid(const Numeric auto& x) { return operations::sigmoid(x); }

void sigmoid(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
