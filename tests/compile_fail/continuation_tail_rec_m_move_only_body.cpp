// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include <memory>

#include "tapestry/continuation/tail_rec_m.hpp"

using Next = tapestry::Step<int, int>;
const auto program = tapestry::tailRecM(
    1, [step = std::make_unique<int>(1)](int state) { return tapestry::now(Next::done(state + *step)); });
