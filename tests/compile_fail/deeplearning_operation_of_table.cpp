// expect: void operator\(\)\(.*// expected Differentiable operands whose data `forward` takes
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TableWeight& table) { return tapestry::operations::relu(table); }
