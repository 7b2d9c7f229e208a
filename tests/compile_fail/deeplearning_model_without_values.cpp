// expect: Weight\(\) = delete;  // a weight begins with a value, expected Weight\(initial\)
// expect-errors: 2
// expect-lines: 16
// (the same of each weight, of the first one within ten lines)
#include "tapestry/deeplearning.hpp"

struct Model {
  tapestry::TensorWeight weight;
  tapestry::TensorWeight bias;
};
Model model() { return {}; }
