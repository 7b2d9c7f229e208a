// Defines expm1, the elementwise exponential minus 1.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = e^x - 1, accurate near 0 too; dy/dx = y + 1.
inline constexpr auto expm1 = unaryOperation<"expm1", Keep::output>(
    [](const detail::Numbers auto& x) { return kernels::expm1(x); },
    []<class Y>(auto delta, const Y& y) {
      return kernels::multiply(std::move(delta), kernels::add(y, detail::ElementOf<Y>(1)));
    });

}  // namespace operations

auto expm1(const Numeric auto& x) { return operations::expm1(x); }

void expm1(...) = delete;  // expected a Differentiable scalar or tensor

}  // namespace tapestry
#pragma GCC visibility pop
