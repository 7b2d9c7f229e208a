// expect: parTraverse\(.*expected a range to copy, a limit, f\(element\), const, a program
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

const auto program = tapestry::parTraverse(std::vector<int>(), 2, [](int x) { return x; });
