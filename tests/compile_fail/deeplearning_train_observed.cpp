// expect: void train\(.*// expected .*, and layers to observe
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto program(const tapestry::DoubleLayer& loss) { return tapestry::train(loss, "loss"); }
