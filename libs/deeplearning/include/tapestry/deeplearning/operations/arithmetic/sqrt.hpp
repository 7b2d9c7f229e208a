// Defines sqrt, the elementwise square root.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = sqrt(x), NaN where x < 0; dy/dx = 1 / (2 y), which is infinite at 0.
inline constexpr auto sqrt = unaryOperation<"sqrt", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::sqrt(x); },
    [](auto delta, const auto& y) { return kernels::divide(std::move(delta), kernels::add(y, y)); });

}  // namespace operations

auto sqrt(const Numeric auto& x) { return operations::sqrt(x); }

void sqrt(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
