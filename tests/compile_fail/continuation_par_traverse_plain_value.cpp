// expect: tapestry::parTraverse: the function does not return a program
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

const auto program = tapestry::parTraverse(std::vector<int>(), 2, [](int x) { return x; });
