// expect: Weight\(\) = delete;  // a weight begins with a value, expected Weight\(initial\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

struct Model {
  tapestry::DoubleWeight weight;
};
Model model() { return {}; }
