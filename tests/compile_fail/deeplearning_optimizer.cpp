// expect: tapestry::Weight: expected an OptimizerRule for its data, or a chain that ends in one
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct NoRule {
  double learningRate;
};

const tapestry::DoubleWeight weight(1, NoRule{0.1});
