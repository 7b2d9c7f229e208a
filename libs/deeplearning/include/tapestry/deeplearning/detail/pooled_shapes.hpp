// Defines PooledShapes, the rule for the shapes of poolings.
#pragma once

#include <string_view>

#include "tapestry/tensor/kernels/pooling.hpp"

namespace tapestry::detail {

struct PooledShapes {
  kernels::Pooling pooling;
  Shape of(std::string_view name, const Shape& x) const { return pooling.shapeOf(name, x); }
};

}  // namespace tapestry::detail
