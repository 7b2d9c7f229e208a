// Defines WithNumber, the rule for shapes of an elementwise operation with a number of its own.
#pragma once

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The number, under this name, is an attribute of the operation.
struct WithNumber : Elementwise {
  const char* name;
  double number;
  extend::Attributes attributes() const { return {{name, number}}; }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
