// expect: read-only location|read only: a tensor does not change
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

void set(tapestry::Tensor<float>& tensor) { tensor(0, 0) = 5; }
