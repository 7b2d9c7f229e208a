// expect:  Weight\(  // expected an OptimizerRule: State<V>, V step\(const V& weight, V gradient, State<V>&\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct NoRule {
  double learningRate;
};

const tapestry::DoubleWeight weight(1, NoRule{0.1});
