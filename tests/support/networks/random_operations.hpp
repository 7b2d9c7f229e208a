// Defines what random graphs are made of: elementwiseOperations and tensorOperations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/networks/random_graph.hpp"

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

/// The operations on each element, or on each pair of elements.
std::vector<RandomOperation> elementwiseOperations();

/// The operations that move, reduce and multiply tensors, and operations that choose a branch in the pass.
std::vector<RandomOperation> tensorOperations();

/// The operations of networks: products with conventions of their own, windows, losses and attention.
std::vector<RandomOperation> networkOperations();

/// Whether all elements are so far from the kink that differences may be taken.
bool awayFrom(double kink, const Tensor<double>& x);
/// Whether there are elements, and no two of them so close that the larger one may change.
bool apart(const Tensor<double>& x);

/// function(random, tensor, its value) gives the layer and the expression, or nothing.
template <class F>
RandomOperation onTensor(F function) {
  return {1, [=](Random& random, const RandomNode& a, const RandomNode&) -> std::optional<RandomResult> {
            const auto* x = std::get_if<DoubleTensorLayer>(&a.layer);
            if (!x || a.value.rank() == 0) return std::nullopt;
            return function(random, *x, a.value);
          }};
}

template <class F>
RandomOperation onTwoTensors(std::string expression, F function) {
  return {2, [=](Random&, const RandomNode& a, const RandomNode& b) -> std::optional<RandomResult> {
            const auto* x = std::get_if<DoubleTensorLayer>(&a.layer);
            const auto* y = std::get_if<DoubleTensorLayer>(&b.layer);
            if (!x || !y) return std::nullopt;
            return RandomResult{function(*x, *y), expression};
          }};
}

}  // namespace tapestry::test
