// expect: parTraverse\(.*expected a range to copy, a limit, f\(element\), const, a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/par_traverse.hpp"

const auto program = tapestry::parTraverse(5, 2, [](int x) { return tapestry::Do<int>::now(x); });
