// expect: void chain\(.*// expected transformations, then an OptimizerRule
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

const tapestry::DoubleWeight weight(1, tapestry::chain(1e-4, tapestry::sgd(0.1)));
