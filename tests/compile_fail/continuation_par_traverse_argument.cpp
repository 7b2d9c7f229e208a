// expect: parTraverse\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

#include <string>

const auto program =
    tapestry::parTraverse(std::vector<int>(), 2, [](const std::string&) { return tapestry::now(1); });
