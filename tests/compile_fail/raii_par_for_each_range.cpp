// expect: parForEach\(.*expected a range to copy, a limit, f\(element\), const, a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/par_for_each.hpp"

const auto program = tapestry::parForEach(5, 2, [](int x) { return tapestry::Do<int>::now(x); });
