// expect: void prefetchTraverse\(.*// expected a Dataset, and a function from its items to a Do
// expect-errors: 1
// expect-lines: 10
#include "tapestry/data.hpp"

const auto program = tapestry::prefetchTraverse(3, [](int) { return 1.0; });
