// expect: void operator\(\)\(.*// expected an index for each axis of a tensor
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::DoubleWeight& weight) { return weight(0); }
