// expect: void trainMicroBatches\(.*// expected a range of batches, a limit, and a loss
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

const auto program = tapestry::trainMicroBatches(3, 1, [](int) { return 1.0; });
