// expect: void unaryOperation\(.*// expected a forward function, a derivative
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning/operation.hpp"

constexpr auto twice = tapestry::unaryOperation<"twice", tapestry::Keep::nothing>(2.0, 2.0);
