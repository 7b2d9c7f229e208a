// Defines softplus, the elementwise smooth rectifier.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = log(1 + e^x), as max(x, 0) + log1p(e^-|x|), finite for all finite x; dy/dx = sigmoid(x).
inline constexpr auto softplus = unaryOperation<"softplus", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::softplus(x); },
    [](auto delta, const auto& x) { return kernels::multiply(std::move(delta), kernels::sigmoid(x)); });

}  // namespace operations

auto softplus(const Numeric auto& x) { return operations::softplus(x); }

void softplus(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
