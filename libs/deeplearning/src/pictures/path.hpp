// Declares stepOf, which describes an operation in the trace of an error.
#pragma once

#include <string>

#include "tapestry/deeplearning/extend/graph.hpp"

namespace tapestry::detail {

/// Such as "matmul of [3, 4] and [5, 2]", as far as the shapes of the operands are known.
std::string stepOf(const extend::NodeView& node);

}  // namespace tapestry::detail
