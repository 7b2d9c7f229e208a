// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include <memory>

#include "tapestry/raii/tail_rec_m.hpp"

using Next = tapestry::Step<int, int>;
auto program() {
  auto body = [step = std::make_unique<int>(1)](int s) {
    return tapestry::Do<Next>::now(Next::done(s + *step));
  };
  return tapestry::tailRecM(1, std::move(body));
}
