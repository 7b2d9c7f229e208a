// Defines silu, the elementwise product of x and its sigmoid.
#pragma once

#include <utility>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/activation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = x s, where s = sigmoid(x); dy/dx = s (1 + x (1 - s)). Also known as swish.
inline constexpr auto silu = unaryOperation<"silu", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::silu(x); },
    [](auto delta, const auto& x) { return kernels::siluDerivative(std::move(delta), x); });

}  // namespace operations

auto silu(const Numeric auto& x) { return operations::silu(x); }

void silu(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
