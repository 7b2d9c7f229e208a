// Defines gelu, the elementwise Gaussian error linear unit.
#pragma once

#include <utility>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/activation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// The form with tanh: y = x (1 + tanh(u)) / 2 = x sigmoid(2u), where u = sqrt(2 / pi) (x + 0.044715 x^3). It
/// is within 0.0005 of the exact form x (1 + erf(x / sqrt(2))) / 2.
/// dy/dx = s + 2 x s (1 - s) du/dx, where s = sigmoid(2u).
inline constexpr auto gelu = unaryOperation<"gelu", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::gelu(x); },
    [](auto delta, const auto& x) { return kernels::geluDerivative(std::move(delta), x); });

}  // namespace operations

auto gelu(const Numeric auto& x) { return operations::gelu(x); }

void gelu(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
