// expect: void operator\(\)\(.*// expected a Differentiable operand, and forward\(x\), of its data
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TableWeight& table) { return tapestry::operations::relu(table); }
