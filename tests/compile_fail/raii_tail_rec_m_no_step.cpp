// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include "tapestry/raii/tail_rec_m.hpp"

const auto program = tapestry::tailRecM(1, [](int i) { return tapestry::Do<int>::now(i); });
