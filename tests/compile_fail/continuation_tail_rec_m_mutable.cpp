// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return tailRecM(0, [n = 0](int) mutable { return now(Step<int, int>::done(n++)); });
}
