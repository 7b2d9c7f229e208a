// expect: void elementwise\(.*// expected a formula
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning/elementwise.hpp"

constexpr auto one = tapestry::elementwise<"one">(1.0);
