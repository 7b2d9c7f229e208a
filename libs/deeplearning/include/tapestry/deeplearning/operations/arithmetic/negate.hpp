// Defines unary operator-.
#pragma once

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace operations {

/// y = -x; dy/dx = -1.
inline constexpr auto negate =
    unaryOperation<"negate", Keep::nothing>([](const detail::Numbers auto& x) { return kernels::negate(x); },
                                            [](auto delta) { return kernels::negate(std::move(delta)); });

}  // namespace operations

template <Numeric A>
  requires(!std::floating_point<A>)
auto operator-(const A& a) {
  return operations::negate(a);
}

template <class = void>
void operator-(  // expected a Differentiable scalar or tensor
    detail::AnyOperand) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
