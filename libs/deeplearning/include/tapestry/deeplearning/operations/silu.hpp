// Defines silu, the elementwise product of x and its sigmoid.
#pragma once

#include "tapestry/deeplearning/operations/multiply.hpp"
#include "tapestry/deeplearning/operations/sigmoid.hpp"

namespace tapestry {

/// y = x s, where s = sigmoid(x); dy/dx = s + y (1 - s). Also known as swish.
template <Numeric A>
auto silu(const A& x) {
  return x * sigmoid(x);
}

}  // namespace tapestry
