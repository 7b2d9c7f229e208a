// Defines paperByHand, the network of the paper's evaluation as one would write it for this network alone.
#pragma once

#include "compare/side.hpp"
#include "hand/product.hpp"
#include "work/paper.hpp"

namespace tapestry::benchmarks::hand {

/// On one thread; the step of each weight is part of the product that makes its gradient. The work must
/// outlive it.
Side paperByHand(const PaperWork& work, Library library);

}  // namespace tapestry::benchmarks::hand
