// expect: tapestry::Weight: expected an OptimizerRule for its data, with a template State<V> and .*step\(const V& weight
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct NoRule {
  double learningRate;
};

const tapestry::DoubleWeight weight(1, NoRule{0.1});
