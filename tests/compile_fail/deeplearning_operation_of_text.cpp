// expect: void operator\(\)\(.*// expected Differentiable operands whose data `forward` takes
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

auto layer(const std::string& text) { return tapestry::operations::relu(text); }
