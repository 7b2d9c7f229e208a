// expect: parTraverse\(.*expected a range to copy, a limit, f\(element\), const, a program
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

#include <string>

const auto program =
    tapestry::parTraverse(std::vector<int>(), 2, [](const std::string&) { return tapestry::now(1); });
