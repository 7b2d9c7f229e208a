// Defines PooledShapes, the rule for the shapes of poolings.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/tensor/kernels/pooling.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct PooledShapes {
  kernels::Pooling pooling;
  Shape of(std::string_view name, const Shape& x) const { return pooling.shapeOf(name, x); }
  extend::Attributes attributes() const;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
