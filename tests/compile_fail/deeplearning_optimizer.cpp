// expect: no known conversion .*from .NoRule. to .*Optimizer<
// expect-errors: 1
// expect-lines: 18
// V
#include "tapestry/deeplearning.hpp"

struct NoRule {
  double learningRate;
};

const tapestry::DoubleWeight weight(1, NoRule{0.1});
