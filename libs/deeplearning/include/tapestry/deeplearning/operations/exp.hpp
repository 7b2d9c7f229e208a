// Defines exp, the elementwise exponential.
#pragma once

#include "tapestry/deeplearning/detail/expects.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

namespace tapestry {

namespace operations {

/// y = e^x; dy/dx = y.
inline constexpr auto exp = unaryOperation<"exp", Keep::output>(
    [](const auto& x) { return kernels::exp(x); },
    [](auto delta, const auto& y) { return kernels::multiply(std::move(delta), y); });

}  // namespace operations

template <Numeric A>
auto exp(const A& x) {
  return operations::exp(x);
}

template <class = void>
detail::Misfit exp(detail::ExpectsNumber<"exp">);

}  // namespace tapestry
