// expect: void operator\(\)\(.*// expected a Differentiable operand, and forward\(x\), of its data
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

auto layer(const std::string& text) { return tapestry::operations::relu(text); }
