// expect: tapestry::tailRecM: the body does not yield a Step, expected a Do of Step<A, B>
// expect-lines: 10
#include "tapestry/raii/tail_rec_m.hpp"

const auto program = tapestry::tailRecM(1, [](int i) { return tapestry::Do<int>::now(i); });
