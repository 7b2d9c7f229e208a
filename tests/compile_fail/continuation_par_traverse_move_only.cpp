// expect: parTraverse\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

#include <memory>

const auto program = tapestry::parTraverse(std::vector<std::unique_ptr<int>>(), 2,
                                           [](const std::unique_ptr<int>& x) { return tapestry::now(*x); });
