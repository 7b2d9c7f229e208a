// expect: void setOptimizer\(  // expected an OptimizerRule: State<V>, V step\(const V& weight, V gradient, State<V>&\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct NoRule {
  double learningRate;
};

void set(const tapestry::Weights& weights) { weights.setOptimizer(NoRule{0.1}); }
