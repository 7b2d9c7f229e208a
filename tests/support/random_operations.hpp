// Defines what random graphs are made of: elementwiseOperations and tensorOperations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/random_graph.hpp"

namespace tapestry::test {

/// A layer with the expression that makes it, in which a and b stand for $a and $b.
struct RandomResult {
  RandomNode::AnyLayer layer;
  std::string expression;
};

/// An operation on one or two nodes; nothing where it does not apply, or has a kink nearby. May throw
/// ShapeError.
struct RandomOperation {
  int operands = 1;
  std::function<std::optional<RandomResult>(Random&, const RandomNode& a, const RandomNode& b)> make;
};

/// Those of each element, or of each pair.
std::vector<RandomOperation> elementwiseOperations();

/// Those that move, reduce and multiply tensors, and those that choose in the pass what to evaluate.
std::vector<RandomOperation> tensorOperations();

/// Whether all elements are so far from the kink that differences may be taken.
bool awayFrom(double kink, const Tensor<double>& x);

}  // namespace tapestry::test
