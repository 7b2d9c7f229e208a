// Defines log, the elementwise natural logarithm.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = ln x; dy/dx = 1 / x.
inline constexpr auto log = unaryOperation<"log", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::log(x); },
    [](auto delta, const auto& x) { return kernels::divide(std::move(delta), x); });

}  // namespace operations

auto log(const Numeric auto& x) { return operations::log(x); }

void log(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
