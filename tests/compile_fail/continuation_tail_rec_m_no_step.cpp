// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::tailRecM(1, [](int state) { return tapestry::now(state); });
