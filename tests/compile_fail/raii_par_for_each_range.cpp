// expect: parForEach\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/par_for_each.hpp"

const auto program = tapestry::parForEach(5, 2, [](int x) { return tapestry::Do<int>::now(x); });
