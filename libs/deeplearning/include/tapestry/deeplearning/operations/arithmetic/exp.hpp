// Defines exp, the elementwise exponential.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = e^x; dy/dx = y.
inline constexpr auto exp = unaryOperation<"exp", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::exp(x); },
    [](auto delta, const auto& y) { return kernels::multiply(std::move(delta), y); });

}  // namespace operations

auto exp(const Numeric auto& x) { return operations::exp(x); }

void exp(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
