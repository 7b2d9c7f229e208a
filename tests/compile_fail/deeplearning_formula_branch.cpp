// expect: operator bool\(\).*// expected where\(condition, a, b\): a formula cannot branch
// expect-errors: 2
// expect-lines: 26
#include "tapestry/deeplearning/elementwise.hpp"

const auto rectify = tapestry::elementwise<"rectify">([](auto x) { return x > 0 ? x : 0 * x; });
double one() { return rectify(1.0); }
