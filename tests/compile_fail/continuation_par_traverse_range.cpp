// expect: parTraverse\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

const auto program = tapestry::parTraverse(5, 2, [](int x) { return tapestry::now(x); });
