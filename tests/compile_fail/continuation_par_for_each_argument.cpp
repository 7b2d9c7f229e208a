// expect: parForEach\(.*expected a copyable range, a limit, a const f\(element\) that makes a program
// expect-errors: 1
// expect-lines: 10
#include <string>
#include <vector>

#include "tapestry/continuation/parallel/par_for_each.hpp"

const auto program =
    tapestry::parForEach(std::vector<int>(), 2, [](const std::string&) { return tapestry::now(1); });
