// expect: parForEach\(.*expected a range to copy, a limit, f\(element\), const, a program
// expect-errors: 1
// expect-lines: 10
#include <vector>

#include "tapestry/continuation/parallel/par_for_each.hpp"

const auto program = tapestry::parForEach(std::vector<int>(), 2, [](int x) { return x; });
