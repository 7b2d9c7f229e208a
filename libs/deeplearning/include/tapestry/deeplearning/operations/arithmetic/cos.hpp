// Defines cos, the elementwise cosine.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = cos(x), x in radians; dy/dx = -sin(x).
inline constexpr auto cos = unaryOperation<"cos", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::cos(x); },
    [](auto delta, const auto& x) {
      return kernels::multiply(std::move(delta), kernels::negate(kernels::sin(x)));
    });

}  // namespace operations

auto cos(const Numeric auto& x) { return operations::cos(x); }

void cos(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
