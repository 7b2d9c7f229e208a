// Defines gatheredShape, the shape of rows of a table at given indices.
#pragma once

#include <string_view>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns [indices' shape.., ...] for a table [n, ...]. Throws std::out_of_range, naming the operation
/// `name`, for an index that is negative or not less than n.
Shape gatheredShape(std::string_view name, const Indices& indices, const Shape& table);

}  // namespace tapestry
#pragma GCC visibility pop
