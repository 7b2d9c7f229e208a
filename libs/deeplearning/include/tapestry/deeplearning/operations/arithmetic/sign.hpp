// Defines sign, the elementwise sign.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = -1, 0 or 1, where x is below, at or above 0; dy/dx = 0, also at 0.
inline constexpr auto sign = unaryOperation<"sign", Keep::nothing>(
    [](const detail::Numbers auto& x) { return kernels::sign(x); },
    []<class Delta>(const Delta&) { return detail::ElementOf<Delta>(0); });

}  // namespace operations

auto sign(const Numeric auto& x) { return operations::sign(x); }

void sign(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
