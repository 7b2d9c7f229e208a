// expect: void operator\(\)\(.*// expected an index for each axis
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto value(const tapestry::Tensor<float>& tensor) { return tensor("row"); }
