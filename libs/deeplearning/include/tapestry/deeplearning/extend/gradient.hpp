// Defines Gradient, the gradient of a weight as numbers, and WeightForm, which describes a weight.
#pragma once

#include <string>
#include <variant>

#include "tapestry/tensor/indexed_rows.hpp"
#include "tapestry/tensor/shape.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A gradient as numbers, which are added to gradients of the same weight. The gradient of a scalar is a
/// tensor of rank 0. The gradient of a table consists of the rows that were read. The observations of a
/// running average are a vector: the elements of their sum, and then their number.
using Gradient = std::variant<Tensor<float>, Tensor<double>, IndexedRows<float>, IndexedRows<double>>;

/// What a program on another machine must know of a weight.
struct WeightForm {
  std::string type;       ///< of the elements: "F32" or "F64"; empty if the gradient cannot be numbers
  Shape shape;            ///< of the value
  bool byRows = false;    ///< whether the gradient is IndexedRows
  Shape gradient;         ///< of the gradient, unless it is byRows
  std::string optimizer;  ///< the type of the rule, and what it makes of a few gradients

  friend bool operator==(const WeightForm&, const WeightForm&) = default;
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
