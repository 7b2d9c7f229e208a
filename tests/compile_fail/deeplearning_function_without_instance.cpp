// expect: tapestry: this operation expected a Differentiable scalar or tensor
// expect-each: OperationName<[0-9]+>\{"NAME"\}
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

const auto layer = tapestry::sigmoid(std::string());
