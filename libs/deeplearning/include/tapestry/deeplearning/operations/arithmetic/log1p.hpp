// Defines log1p, the elementwise logarithm of 1 + x.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = log(1 + x), accurate near 0 too, -inf where x = -1, NaN below; dy/dx = 1 / (1 + x).
inline constexpr auto log1p = unaryOperation<"log1p", Keep::operands>(
    [](const detail::Numbers auto& x) { return kernels::log1p(x); },
    []<class X>(auto delta, const X& x) {
      return kernels::divide(std::move(delta), kernels::add(x, detail::ElementOf<X>(1)));
    });

}  // namespace operations

auto log1p(const Numeric auto& x) { return operations::log1p(x); }

void log1p(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
