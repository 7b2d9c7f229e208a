// Defines sin, the elementwise sine.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = sin(x), x in radians; dy/dx = cos(x).
inline constexpr auto sin = unaryOperation<"sin", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::sin(x); },
    [](auto delta, const auto& x) { return kernels::multiply(std::move(delta), kernels::cos(x)); });

}  // namespace operations

auto sin(const Numeric auto& x) { return operations::sin(x); }

void sin(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
