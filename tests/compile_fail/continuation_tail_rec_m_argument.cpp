// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::tailRecM(
    1, [](const std::string& state) { return tapestry::now(tapestry::Step<std::string, int>::next(state)); });
